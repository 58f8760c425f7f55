//===- TracedNames.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Sampling/TracedNames.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/TracePoints.h"
#include "llvm/ADT/DenseMap.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// The only function that a body calls, apart from functions of the host, like bodies that trace an
/// import; nothing if the body does anything else.
static std::optional<uint32_t> onlyCallee(const wasm::Module &module, const wasm::ByteRange &body) {
  enum : uint8_t {
    callCode = 0x10,
    // A block around the call, which may catch exceptions; the check for a sample.
    blockCode = 0x02,
    ifCode = 0x04,
    tryCode = 0x06,
    endCode = 0x0b,
    tryTableCode = 0x1f,
    localGetCode = 0x20,
    localSetCode = 0x21,
    globalGetCode = 0x23,
    globalSetCode = 0x24,
    i32ConstCode = 0x41,
    i64GreaterCode = 0x59,
    // The check for the first execution.
    i64ConstCode = 0x42,
    i64EqzCode = 0x50,
    i64AndCode = 0x83,
    i64OrCode = 0x84,
    // What ran before the call, for traps.
    i32AndCode = 0x71,
    // The marks of a call.
    i32SubCode = 0x6b,
    i32OrCode = 0x72,
  };
  static constexpr uint8_t around[] = {
      blockCode,    ifCode,        tryCode,       endCode,      tryTableCode,   localGetCode,
      localSetCode, globalGetCode, globalSetCode, i32ConstCode, i64GreaterCode, i64ConstCode,
      i64EqzCode,   i64AndCode,    i64OrCode,     i32AndCode,   i32SubCode,     i32OrCode};
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  for (wasm::Instruction instruction; walker.next(instruction);) {
    if (*instruction.begin == callCode) {
      if (!module.isImported(instruction.index()))
        return std::nullopt;
      const wasm::Import &import = module.importOf(instruction.index());
      if (!wasm::findHostCall(import.module, import.name))
        return instruction.index();
    } else if (!is_contained(around, *instruction.begin)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Nothing for a module that cannot be read; engines say what is wrong with it.
static std::optional<wasm::Module> readIfSound(ArrayRef<uint8_t> bytes) {
  auto module = wasm::readModule(bytes, "");
  if (module)
    return std::move(*module);
  consumeError(module.takeError());
  return std::nullopt;
}

/// The body of an exported function that the module defines; null for other exports.
static const wasm::ByteRange *bodyOf(const wasm::Module &module, const wasm::Export &entry) {
  bool isDefined = entry.kind == wasm::ExternalKind::function && !module.isImported(entry.index) &&
                   entry.index < module.functionCount();
  return isDefined ? &module.bodies[entry.index - module.importedFunctionCount()] : nullptr;
}

/// The function for whose references this body exists, which first sets the mark of a call, or
/// looks for traps, or both; nothing for other bodies.
static std::optional<uint32_t> referencedBy(const wasm::Module &module,
                                            const wasm::ByteRange &body) {
  static constexpr uint8_t mark[] = {"i32.const"_op, "global.set"_op};
  static constexpr uint8_t trapCheck[] = {"global.get"_op, "local.set"_op, "local.get"_op,
                                          "i32.const"_op, "i32.and"_op};
  std::vector<wasm::Instruction> code;
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  // Longer bodies are of other functions.
  constexpr size_t longest = 4096;
  for (wasm::Instruction instruction; code.size() < longest && walker.next(instruction);)
    code.push_back(instruction);
  ArrayRef<wasm::Instruction> rest = code;
  auto take = [&](ArrayRef<uint8_t> opcodes) {
    bool isThere = rest.size() >= opcodes.size() &&
                   equal(opcodes, map_range(rest.take_front(opcodes.size()),
                                            [](const auto &next) { return *next.begin; }));
    if (isThere)
      rest = rest.drop_front(opcodes.size());
    return isThere;
  };
  bool hasMark = take(mark), looksForTraps = take(trapCheck);
  if (!hasMark && !looksForTraps)
    return std::nullopt;
  // The first of two calls reports traps.
  size_t others = looksForTraps ? 1 : 0;
  for (const wasm::Instruction &next : rest) {
    bool isTailCall = *next.begin == "return_call"_op;
    if (!isTailCall && *next.begin != "call"_op) {
      if (!looksForTraps && *next.begin != "local.get"_op)
        return std::nullopt;
      continue;
    }
    if (!isTailCall && others-- > 0)
      continue;
    return module.isImported(next.index()) || next.index() >= module.functionCount()
               ? std::nullopt
               : std::optional(next.index());
  }
  return std::nullopt;
}

namespace {

/// The functions' original names, from the instrumented module.
class OriginalNames {
public:
  explicit OriginalNames(const wasm::Module &module) : module_(module), names_(module) {
    for (uint32_t i = 0; i != module.importedFunctionCount(); ++i) {
      const wasm::Import &import = module.importOf(i);
      const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name);
      inserted_ += info && info->isInserted;
    }
    for (const wasm::Export &entry : module.exports)
      if (const wasm::ByteRange *body = bodyOf(module, entry))
        if (auto callee = referencedBy(module, *body))
          references_.try_emplace(*callee, entry.index);
  }

  /// The name of the function with this body and id.
  std::string of(uint32_t function, const wasm::ByteRange &body, int32_t id) const {
    // A function that traces an import has the import's name; optimisers may inline a function into
    // the one made for its references.
    StringRef written = module_.names.function(function);
    written.consume_back(wasm::byReferenceSuffix);
    written.consume_back(" (traced)");
    if (!written.empty())
      return written.str();
    if (auto traced = tracedImport(body, id))
      return module_.nameOfImport(*traced);
    std::string name = names_.given(function);
    auto reference = references_.find(function);
    if (name.empty() && reference != references_.end()) {
      name = names_.given(reference->second);
      StringRef exported = name;
      if (exported.consume_back(wasm::byReferenceSuffix))
        name.resize(exported.size());
    }
    return !name.empty() ? name : wasm::FunctionNames::numbered(function - inserted_);
  }

  /// The imported function that a body with this id traces; nothing for those of the module's own
  /// functions.
  std::optional<uint32_t> tracedImport(const wasm::ByteRange &body, int32_t id) const {
    // The imported functions have the first ids.
    uint32_t imports = module_.importedFunctionCount() - inserted_;
    if (id < firstFunctionId || idOffset(id) >= imports)
      return std::nullopt;
    return onlyCallee(module_, body);
  }

private:
  const wasm::Module &module_;
  const wasm::FunctionNames names_;
  /// By function, the exported one that calls it for references.
  DenseMap<uint32_t, uint32_t> references_;
  uint32_t inserted_ = 0;
};

} // namespace

std::vector<FunctionName> warpo::tracedNames(ArrayRef<uint8_t> bytes) {
  std::vector<FunctionName> names;
  std::optional<wasm::Module> module = readIfSound(bytes);
  if (!module)
    return names;
  wasm::EntryPoints entries(*module);
  if (entries.empty())
    return names;
  const OriginalNames original(*module);
  for (auto [i, body] : enumerate(module->bodies))
    // Not always at the beginning: a fuel check may precede it.
    if (int32_t id = entries.firstId(body, /*atBegin=*/false); id > 0)
      names.push_back({id, original.of(module->importedFunctionCount() + uint32_t(i), body, id)});
  return names;
}

TracedLinks warpo::tracedLinks(ArrayRef<uint8_t> bytes) {
  TracedLinks links;
  std::optional<wasm::Module> module = readIfSound(bytes);
  if (!module)
    return links;
  wasm::EntryPoints entries(*module);
  if (entries.empty())
    return links;
  auto idOf = [&](const wasm::ByteRange &body) { return entries.firstId(body, /*atBegin=*/false); };
  const OriginalNames original(*module);
  for (const wasm::ByteRange &body : module->bodies)
    if (int32_t id = idOf(body); id > 0)
      if (auto traced = original.tracedImport(body, id)) {
        const wasm::Import &import = module->importOf(*traced);
        links.imports.push_back({import.module.str(), import.name.str(), id});
      }
  for (const wasm::Export &entry : module->exports) {
    const wasm::ByteRange *body = bodyOf(*module, entry);
    if (!body)
      continue;
    auto referenced = referencedBy(*module, *body);
    uint32_t imported = module->importedFunctionCount();
    if (idOf(*body) > 0 || (referenced && idOf(module->bodies[*referenced - imported]) > 0))
      links.exports.push_back(entry.name.str());
  }
  return links;
}

bool warpo::hasMarkedIds(ArrayRef<uint8_t> bytes) {
  std::optional<wasm::Module> module = readIfSound(bytes);
  if (!module)
    return false;
  wasm::EntryPoints entries(*module);
  return !entries.empty() && any_of(module->bodies, [&](const wasm::ByteRange &body) {
    return entries.hasMarks(body);
  });
}

std::string warpo::nameOfModule(ArrayRef<uint8_t> bytes) {
  auto module = wasm::readModule(bytes, "");
  if (module)
    return module->names.module.str();
  consumeError(module.takeError());
  return "";
}
