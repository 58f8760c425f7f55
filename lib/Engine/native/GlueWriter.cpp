//===- GlueWriter.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "GlueWriter.h"
#include "CounterExports.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace warpo;
using wasm::ExternalKind;

namespace {

/// wasm2c's mangling: letters except Z, digits and `_` stand for themselves.
std::string mangle(StringRef name) {
  std::string text;
  for (char c : name)
    if ((isAlnum(c) && c != 'Z') || c == '_')
      text += c;
    else
      text += "Z" + toHex(StringRef(&c, 1));
  return text;
}

std::string moduleSymbol(StringRef module) { return "Z_" + mangle(module); }
std::string symbol(StringRef module, StringRef name) {
  return moduleSymbol(module) + "Z_" + mangle(name);
}
std::string instanceType(StringRef module) {
  return "struct " + moduleSymbol(module) + "_instance_t";
}

/// A value type in C, and its letter in wasm2c's names of structs for several results.
struct CType {
  StringRef name;
  char letter;
  bool isNumber() const { return letter == 'i' || letter == 'j' || letter == 'f' || letter == 'd'; }
};

CType cTypeOf(uint8_t encoded) {
  switch (encoded) {
  case 0x7f:
    return {"u32", 'i'};
  case 0x7e:
    return {"u64", 'j'};
  case 0x7d:
    return {"f32", 'f'};
  case 0x7c:
    return {"f64", 'd'};
  case 0x70:
    return {"wasm_rt_funcref_t", 'r'};
  case 0x6f:
    return {"wasm_rt_externref_t", 'e'};
  default:
    // wasm2c refuses modules with other types.
    return {"void *", '_'};
  }
}

std::string resultType(const wasm::FunctionType &type) {
  ArrayRef<uint8_t> results = type.results.bytes;
  if (results.empty())
    return "void";
  if (results.size() == 1)
    return cTypeOf(results[0]).name.str();
  std::string name = "struct wasm_multi_";
  for (uint8_t encoded : results)
    name += cTypeOf(encoded).letter;
  return name;
}

/// The type of an imported memory or table in wasm2c's runtime.
StringRef runtimeType(const wasm::Import &import) {
  if (import.kind == ExternalKind::memory)
    return "memory";
  constexpr uint8_t functionReference = 0x70;
  return import.typeBytes.front() == functionReference ? "funcref_table" : "externref_table";
}

/// Convert an argument or a result to bits, and back.
std::string toBits(CType type, const Twine &value) {
  if (type.letter == 'f' || type.letter == 'd')
    return ("bits_of_" + type.name + "(" + value + ")").str();
  return value.str();
}
std::string fromBits(CType type, const Twine &bits) {
  if (type.letter == 'f' || type.letter == 'd')
    return (type.name + "_of_bits(" + bits + ")").str();
  return ("(" + type.name + ")" + bits).str();
}

constexpr StringLiteral prelude = R"(#include "wasm-rt.h"
#include "warpo_native.h"

#ifndef WASM_RT_CORE_TYPES_DEFINED
#define WASM_RT_CORE_TYPES_DEFINED
typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;
#endif

static inline u64 bits_of_f32(f32 value) {
  u32 bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline u64 bits_of_f64(f64 value) {
  u64 bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline f32 f32_of_bits(u64 bits) {
  u32 low = (u32)bits;
  f32 value;
  memcpy(&value, &low, sizeof value);
  return value;
}
static inline f64 f64_of_bits(u64 bits) {
  f64 value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

u64 warpo_native_call(const warpo_native_unit *, u32, const u64 *, u32);
u64 warpo_native_sample(const warpo_native_unit *, u64);
void warpo_native_begin_section(const warpo_native_unit *, u32, u32);
void warpo_native_end_section(const warpo_native_unit *);
)";

/// The kind of a memory, table or global, by wasm2c's type of a pointer to it.
constexpr StringLiteral kindMacro = R"(
#define KIND(pointer) \
  _Generic((pointer), u32 *: 'i', u64 *: 'l', f32 *: 'g', f64 *: 'd', \
           wasm_rt_funcref_t *: 'r', wasm_rt_externref_t *: 'x', wasm_rt_memory_t *: 'm', \
           wasm_rt_funcref_table_t *: 't', wasm_rt_externref_table_t *: 'e')
)";

class GlueWriter {
public:
  explicit GlueWriter(const NativeUnit &unit) : unit_(unit), module_(unit.module) {}

  NativeGlue write() {
    writeImports();
    writeExports();
    return {std::move(imports_), std::move(exports_)};
  }

private:
  void writeImports();
  void writeResultStruct(const wasm::FunctionType &type);
  void writeImportedFunction(size_t index);
  void writeImportedObject(size_t index);

  void writeExports();
  void writeInstantiate();
  void writeProvided(size_t index);
  std::string firstMemory();
  void writeCaller(size_t index);
  void writeCounters();
  void writeTables();

  const NativeUnit &unit_;
  const wasm::Module &module_;
  std::string imports_, exports_;
  raw_string_ostream imp_{imports_}, exp_{exports_};
};

} // namespace

/// Declares the struct for several results, as wasm2c does.
void GlueWriter::writeResultStruct(const wasm::FunctionType &type) {
  if (type.results.count < 2)
    return;
  std::string name = resultType(type).substr(StringRef("struct ").size());
  imp_ << "#ifndef " << name << "\n#define " << name << ' ' << name << "\nstruct " << name
       << " {\n";
  for (auto [i, encoded] : enumerate(type.results.bytes))
    imp_ << "  " << cTypeOf(encoded).name << ' ' << cTypeOf(encoded).letter << i << ";\n";
  imp_ << "};\n#endif\n";
}

void GlueWriter::writeImportedFunction(size_t index) {
  const wasm::Import &import = module_.imports[index];
  const wasm::FunctionType &type = *module_.types[import.type];
  const ImportSource &source = unit_.imports[index];
  std::string result = resultType(type);
  writeResultStruct(type);

  std::string parameters = instanceType(import.module) + " *from", types = "void *",
              values = "import->object", bits;
  for (auto [i, encoded] : enumerate(type.params.bytes)) {
    CType each = cTypeOf(encoded);
    std::string name = "p" + std::to_string(i);
    parameters += ", " + each.name.str() + " " + name;
    types += ", " + each.name.str();
    values += ", " + name;
    bits += toBits(each, name) + ", ";
  }
  imp_ << "static inline " << result << ' ' << symbol(import.module, import.name) << '('
       << parameters << ") {\n  const warpo_native_unit *unit = (const warpo_native_unit *)from;\n";
  switch (source.kind) {
  case ImportSource::tracePoint:
    imp_ << (unit_.keepsStack ? "  warpo_native_record_event(unit, (s32)p0);\n"
                              : "  warpo_native_trace_point(unit, (s32)p0);\n");
    break;
  case ImportSource::tracePointFuel:
    imp_ << (unit_.keepsStack ? "  warpo_native_record_fuel_event(unit, (s32)p0, p1);\n"
                              : "  warpo_native_trace_point_fuel(unit, (s32)p0, p1);\n");
    break;
  case ImportSource::enterFrame:
    imp_ << "  warpo_native_begin_call(unit, (s32)p0);\n";
    break;
  case ImportSource::leaveFrame:
    imp_ << "  warpo_native_end_call(unit, -(s32)p0);\n";
    break;
  case ImportSource::enterModule:
    // The first trap ends the program.
    imp_ << "  (void)unit;\n";
    break;
  case ImportSource::sample:
    imp_ << "  return warpo_native_sample(unit, p0);\n";
    break;
  case ImportSource::heap:
    imp_ << "  unit->host->change_heap(unit, (s32)p0, p1, p2, p3);\n";
    break;
  case ImportSource::beginSection:
    imp_ << "  warpo_native_begin_section(unit, p0, p1);\n";
    break;
  case ImportSource::endSection:
    imp_ << "  warpo_native_end_section(unit);\n";
    break;
  case ImportSource::hostFunction: {
    std::string call = "warpo_native_call(unit, " + std::to_string(index) + ", arguments, " +
                       std::to_string(type.params.count) + ")";
    imp_ << "  u64 arguments[] = {" << bits << "0};\n  ";
    if (type.results.count == 1)
      imp_ << "return " << fromBits(cTypeOf(type.results.bytes[0]), call) << ";\n";
    else
      imp_ << call << ";\n";
    break;
  }
  case ImportSource::linked:
  case ImportSource::provided:
    imp_ << "  const warpo_native_import *import = &unit->imports[" << index << "];\n  "
         << (type.results.count == 0 ? "" : "return ") << "((" << result << " (*)(" << types
         << "))import->code)(" << values << ");\n";
    break;
  }
  imp_ << "}\n";
}

void GlueWriter::writeImportedObject(size_t index) {
  const wasm::Import &import = module_.imports[index];
  std::string pointer = import.kind == ExternalKind::global
                            ? cTypeOf(import.typeBytes.front()).name.str()
                            : "wasm_rt_" + runtimeType(import).str() + "_t";
  imp_ << "static inline " << pointer << " *" << symbol(import.module, import.name) << '('
       << instanceType(import.module) << " *from) {\n"
       << "  return ((const warpo_native_unit *)from)->imports[" << index << "].object;\n}\n";
}

void GlueWriter::writeImports() {
  imp_ << prelude;
  StringSet<> known;
  for (auto [i, import] : enumerate(module_.imports)) {
    // The same import may occur more than once.
    if (!known.insert(symbol(import.module, import.name)).second)
      continue;
    if (known.insert(instanceType(import.module)).second)
      imp_ << instanceType(import.module) << ";\n";
    if (import.kind == ExternalKind::function)
      writeImportedFunction(i);
    else
      writeImportedObject(i);
  }
}

/// Allocates a memory or table that the host provides, with the limits of the import.
void GlueWriter::writeProvided(size_t index) {
  const wasm::Import &import = module_.imports[index];
  ByteCursor cursor(import.typeBytes);
  if (import.kind == ExternalKind::table)
    cursor.u8();
  uint8_t flags = cursor.u8();
  uint32_t size = cursor.uleb32();
  uint32_t limit = flags & 1 ? cursor.uleb32() : UINT32_MAX;
  exp_ << "  wasm_rt_allocate_" << runtimeType(import) << "(&whole->provided" << index << ", "
       << size << "u, " << limit << "u);\n"
       << "  unit->imports[" << index << "].object = &whole->provided" << index << ";\n";
}

/// A C expression for the first memory of the instance.
std::string GlueWriter::firstMemory() {
  for (auto [i, import] : enumerate(module_.imports))
    if (import.kind == ExternalKind::memory)
      return "unit->imports[" + std::to_string(i) + "].object";
  for (const wasm::Export &entry : module_.exports)
    if (entry.kind == ExternalKind::memory && entry.index == 0)
      return symbol(nativeModuleName, entry.name) + "(&whole->instance)";
  for (const wasm::Section &section : module_.sections)
    if (section.id == wasm::SectionId::memory && section.contents.cursor().uleb32() != 0)
      return "&whole->instance.w2c_M0";
  return "NULL";
}

void GlueWriter::writeInstantiate() {
  exp_ << "typedef struct whole {\n  " << moduleSymbol(nativeModuleName)
       << "_instance_t instance;\n";
  for (auto [i, import] : enumerate(module_.imports))
    if (unit_.imports[i].kind == ImportSource::provided)
      exp_ << "  __typeof__(*" << symbol(import.module, import.name) << "(NULL)) provided" << i
           << ";\n";
  exp_ << "} whole;\n\nstatic void instantiate(void *instance, warpo_native_unit *unit) {\n"
          "  whole *whole = instance;\n";
  for (size_t i = 0; i < module_.imports.size(); ++i)
    if (unit_.imports[i].kind == ImportSource::provided)
      writeProvided(i);
  exp_ << "  unit->memory = " << firstMemory() << ";\n  " << moduleSymbol(nativeModuleName)
       << "_init_module();\n  " << moduleSymbol(nativeModuleName)
       << "_instantiate(&whole->instance";
  StringSet<> known;
  for (const wasm::Import &import : module_.imports)
    if (known.insert(import.module).second)
      exp_ << ", (void *)unit";
  exp_ << ");\n}\n\nstatic void release(void *instance) {\n  whole *whole = instance;\n  "
       << moduleSymbol(nativeModuleName) << "_free(&whole->instance);\n";
  for (auto [i, import] : enumerate(module_.imports))
    if (unit_.imports[i].kind == ImportSource::provided)
      exp_ << "  wasm_rt_free_" << runtimeType(import) << "(&whole->provided" << i << ");\n";
  exp_ << "}\n\n";
}

/// Writes a function with a uniform signature that calls an exported function.
void GlueWriter::writeCaller(size_t index) {
  const wasm::Export &entry = module_.exports[index];
  const wasm::FunctionType &type = unit_.typeOf(entry);
  std::string call = symbol(nativeModuleName, entry.name) + "(&whole->instance";
  for (auto [i, encoded] : enumerate(type.params.bytes)) {
    if (!cTypeOf(encoded).isNumber())
      return;
    call += ", " + fromBits(cTypeOf(encoded), "arguments[" + Twine(i) + "]");
  }
  call += ")";
  exp_ << "static void call" << index
       << "(void *instance, const u64 *arguments, u64 *results) {\n  whole *whole = instance;\n  ";
  if (type.results.count != 0)
    exp_ << resultType(type) << " result = ";
  exp_ << call << ";\n";
  for (auto [i, encoded] : enumerate(type.results.bytes)) {
    CType each = cTypeOf(encoded);
    std::string member = "result";
    if (type.results.count > 1)
      member += "." + std::string(1, each.letter) + std::to_string(i);
    if (each.isNumber())
      exp_ << "  results[" << i << "] = " << toBits(each, member) << ";\n";
  }
  exp_ << "}\n";
}

void GlueWriter::writeCounters() {
  exp_ << "static u64 *counter(void *instance, u32 number) {\n  whole *whole = instance;\n"
          "  switch (number) {\n";
  for (const wasm::CounterInfo &info : wasm::counters())
    if (auto name = exportOfCounter(unit_, info.counter))
      exp_ << "  case " << unsigned(info.counter) << ":\n    return "
           << symbol(nativeModuleName, *name) << "(&whole->instance);\n";
  exp_ << "  default:\n    return NULL;\n  }\n}\n";
}

void GlueWriter::writeTables() {
  exp_ << "\nstatic const warpo_native_kind import_kinds[] = {\n";
  for (const wasm::Import &import : module_.imports)
    if (import.kind == ExternalKind::function)
      exp_ << "  'f',\n";
    else
      exp_ << "  KIND(" << symbol(import.module, import.name) << "(NULL)),\n";
  exp_ << "  0,\n};\n\nstatic const warpo_native_export exports[] = {\n";
  for (auto [i, entry] : enumerate(module_.exports)) {
    std::string name = symbol(nativeModuleName, entry.name);
    if (entry.kind != ExternalKind::function)
      exp_ << "  {KIND(" << name << "(NULL)), " << name << ", NULL},\n";
    else if (all_of(unit_.typeOf(entry).params.bytes,
                    [](uint8_t encoded) { return cTypeOf(encoded).isNumber(); }))
      exp_ << "  {'f', " << name << ", call" << i << "},\n";
    else
      exp_ << "  {'f', " << name << ", NULL},\n";
  }
  exp_ << "  {0, NULL, NULL},\n};\n";
}

void GlueWriter::writeExports() {
  exp_ << "#include \"module.h\"\n"
       << kindMacro << "\nvoid warpo_native_start(warpo_native_host *);\n"
       << "uint8_t *warpo_native_memory_bytes(const void *, uint64_t *);\n"
       << "int warpo_native_grow_memory(void *, uint32_t);\n\n";
  writeInstantiate();
  for (auto [i, entry] : enumerate(module_.exports))
    if (entry.kind == ExternalKind::function)
      writeCaller(i);
  writeCounters();
  writeTables();
  exp_ << R"(
__attribute__((visibility("default")))
const warpo_native_module warpo_native_module_of_this = {
    warpo_native_start, sizeof(whole), instantiate, release, import_kinds, exports, counter,
    warpo_native_memory_bytes, warpo_native_grow_memory};
)";
}

NativeGlue warpo::writeGlue(const NativeUnit &unit) { return GlueWriter(unit).write(); }
