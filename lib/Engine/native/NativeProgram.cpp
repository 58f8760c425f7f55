//===- NativeProgram.cpp --------------------------------------------------===//

#include "NativeProgram.h"
#include "../HostCallTypes.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;
using wasm::ExternalKind;

static ValueType valueTypeOf(uint8_t encoded) {
  switch (wasm::ValueType(encoded)) {
  case wasm::ValueType::i32:
    return ValueType::i32;
  case wasm::ValueType::i64:
    return ValueType::i64;
  case wasm::ValueType::f32:
    return ValueType::f32;
  case wasm::ValueType::f64:
    return ValueType::f64;
  }
  return ValueType::other;
}

std::string warpo::typeLetters(const wasm::FunctionType &type) {
  auto letters = [](const wasm::TypeList &types) {
    std::string text;
    for (uint8_t encoded : types.bytes)
      text += "ilfd?"[int(valueTypeOf(encoded))];
    return text;
  };
  return letters(type.params) + ":" + letters(type.results);
}

static StringRef describeKind(ExternalKind kind) {
  constexpr StringLiteral kinds[] = {"func", "table", "memory", "global", "tag"};
  return kinds[size_t(kind)];
}

/// Of calls that the glue knows; the others are host functions.
static std::optional<ImportSource::Kind> kindOf(wasm::HostCall call) {
  switch (call) {
  case wasm::HostCall::tracePoint:
    return ImportSource::tracePoint;
  case wasm::HostCall::tracePointFuel:
    return ImportSource::tracePointFuel;
  case wasm::HostCall::enterFrame:
    return ImportSource::enterFrame;
  case wasm::HostCall::leaveFrame:
    return ImportSource::leaveFrame;
  case wasm::HostCall::sample:
  case wasm::HostCall::sampleCaller:
    return ImportSource::sample;
  case wasm::HostCall::beginSection:
    return ImportSource::beginSection;
  case wasm::HostCall::endSection:
    return ImportSource::endSection;
  default:
    return std::nullopt;
  }
}

namespace {

class ProgramLoader {
public:
  explicit ProgramLoader(const RunRequest &request) : request_(request) {}

  Expected<NativeProgram> load();

private:
  Error loadUnit(StringRef name, StringRef path, uint64_t place);
  Error checkIdentities();
  Error resolveImports(size_t unit);
  std::optional<ImportSource> findSource(size_t unit, const wasm::Import &import);
  Error findEntry();

  const RunRequest &request_;
  NativeProgram program_;
};

} // namespace

Error ProgramLoader::loadUnit(StringRef name, StringRef path, uint64_t place) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return fileError(path, file.getError());
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef((*file)->getBuffer());
  auto module = wasm::readModule(bytes, path);
  if (!module)
    return module.takeError();
  auto identity = wasm::readModuleIdentity(bytes, path);
  if (!identity)
    return identity.takeError();
  NativeUnit &unit = program_.units.emplace_back();
  unit.name = name.str();
  unit.path = path.str();
  // A module without an identity gets its place on the command line.
  unit.id = *identity ? (*identity)->moduleId : place;
  unit.file = std::move(*file);
  unit.module = std::move(*module);
  return Error::success();
}

Error ProgramLoader::checkIdentities() {
  ArrayRef<NativeUnit> units = program_.units;
  for (size_t i = 0; i < units.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (units[i].id == units[j].id && units[i].instrumented && units[j].instrumented)
        return fileError(units[i].path, "its module id " + Twine(units[i].id) +
                                            " is also that of " + units[j].path);
  return Error::success();
}

std::optional<ImportSource> ProgramLoader::findSource(size_t unit, const wasm::Import &import) {
  for (size_t i = 0; i < unit; ++i) {
    const NativeUnit &other = program_.units[i];
    if (other.name != import.module)
      continue;
    for (const wasm::Export &entry : other.module.exports)
      if (entry.name == import.name && entry.kind == import.kind)
        return ImportSource{ImportSource::linked, nullptr, uint32_t(i),
                            uint32_t(&entry - other.module.exports.data())};
  }
  if (import.kind == ExternalKind::function) {
    std::string type = typeLetters(*program_.units[unit].module.types[import.type]);
    const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name);
    if (auto kind = info && type == typeOf(*info) ? kindOf(info->call) : std::nullopt)
      return ImportSource{*kind};
    const HostFunction *function = GuestHost::find(import.module, import.name);
    if (function && function->type == type)
      return ImportSource{ImportSource::hostFunction, function};
  } else if (import.module == "env" &&
             (import.kind == ExternalKind::memory || import.kind == ExternalKind::table)) {
    return ImportSource{ImportSource::provided};
  }
  return std::nullopt;
}

Error ProgramLoader::resolveImports(size_t index) {
  NativeUnit &unit = program_.units[index];
  std::string missing;
  for (const wasm::Import &import : unit.module.imports) {
    auto source = findSource(index, import);
    if (!source) {
      missing += (missing.empty() ? "" : ", ") + import.module.str() + "." + import.name.str() +
                 " (" + describeKind(import.kind).str() + ")";
      continue;
    }
    if (source->kind == ImportSource::linked && import.kind == ExternalKind::function) {
      const NativeUnit &other = program_.units[source->unit];
      std::string given = typeLetters(other.typeOf(other.module.exports[source->exportIndex]));
      std::string wanted = typeLetters(*unit.module.types[import.type]);
      if (given != wanted || StringRef(given).contains('?'))
        return fileError(unit.path, "import " + import.module + "." + import.name +
                                        ": the type of the function is not that of the export of " +
                                        other.path);
    }
    const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name);
    if (info && kindOf(info->call) == source->kind)
      unit.add(info->call);
    unit.imports.push_back(*source);
  }
  if (!missing.empty())
    return fileError(unit.path, "engine native does not provide " + missing +
                                    "; use --engine=node, or --link=<name>=<file.wasm>");
  return Error::success();
}

Error ProgramLoader::findEntry() {
  NativeUnit &app = program_.app();
  std::vector<ExportedFunction> functions;
  std::vector<size_t> places;
  for (const wasm::Export &entry : app.module.exports) {
    if (entry.kind != ExternalKind::function)
      continue;
    ExportedFunction &function = functions.emplace_back();
    function.name = entry.name.str();
    for (uint8_t encoded : app.typeOf(entry).params.bytes)
      function.parameters.push_back(valueTypeOf(encoded));
    places.push_back(size_t(&entry - app.module.exports.data()));
  }
  bool hasStart = any_of(app.module.sections, [](const wasm::Section &section) {
    return section.id == wasm::SectionId::start;
  });
  auto entry = warpo::findEntry(request_, functions, hasStart);
  if (!entry)
    return entry.takeError();
  program_.entry = std::move(*entry);
  if (!program_.entry)
    return Error::success();
  program_.entry->function = places[program_.entry->function];
  for (uint8_t encoded : app.typeOf(app.module.exports[program_.entry->function]).results.bytes)
    program_.resultTypes.push_back(valueTypeOf(encoded));
  return Error::success();
}

Expected<NativeProgram> ProgramLoader::load() {
  for (size_t i = 0; i < request_.links.size(); ++i)
    if (Error error = loadUnit(request_.links[i].name, request_.links[i].path, i + 2))
      return error;
  if (Error error = loadUnit("", request_.app, 1))
    return error;
  if (Error error = findEntry())
    return error;
  for (size_t i = 0; i < program_.units.size(); ++i)
    if (Error error = resolveImports(i))
      return error;
  if (Error error = checkIdentities())
    return error;
  return std::move(program_);
}

Expected<NativeProgram> NativeProgram::load(const RunRequest &request) {
  return ProgramLoader(request).load();
}
