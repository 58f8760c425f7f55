//===- TracedNames.cpp ----------------------------------------------------===//

#include "warpo/Sampling/TracedNames.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "warpo/Wasm/TracePoints.h"

using namespace llvm;
using namespace warpo;

/// The function that a body does nothing but call, beside functions of the host, as those do which
/// trace an import; nothing if it does anything else.
static std::optional<uint32_t> onlyCallee(const wasm::Module &module, const wasm::ByteRange &body) {
  enum : uint8_t {
    callCode = 0x10,
    // A block around the call, that catches exceptions or none; the check for a sample.
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
    // The marks of a call.
    i32SubCode = 0x6b,
    i32OrCode = 0x72,
  };
  static constexpr uint8_t around[] = {blockCode,     ifCode,       tryCode,        endCode,
                                       tryTableCode,  localGetCode, localSetCode,   globalGetCode,
                                       globalSetCode, i32ConstCode, i64GreaterCode, i32SubCode,
                                       i32OrCode};
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  for (wasm::Instruction instruction; walker.next(instruction);) {
    if (*instruction.begin == callCode) {
      if (!module.isImported(instruction.index))
        return std::nullopt;
      const wasm::Import &import = module.importOf(instruction.index);
      if (!wasm::findHostCall(import.module, import.name))
        return instruction.index;
    } else if (!is_contained(around, *instruction.begin)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

namespace {

/// The names of functions as instrumenting knew them, from the instrumented module.
class OriginalNames {
public:
  explicit OriginalNames(const wasm::Module &module) : module_(module), names_(module) {
    for (uint32_t i = 0; i != module.importedFunctionCount(); ++i) {
      const wasm::Import &import = module.importOf(i);
      const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name);
      inserted_ += info && info->isInserted;
    }
  }

  /// Of the function with this body and this id.
  std::string of(uint32_t function, const wasm::ByteRange &body, int32_t id) const {
    // What traces around an import is called by the import's name; optimising may put a function
    // into the one that its references go to.
    StringRef written = module_.names.function(function);
    written.consume_back(wasm::byReferenceSuffix);
    written.consume_back(" (traced)");
    if (!written.empty())
      return written.str();
    // The imported functions have the first ids.
    uint32_t imports = module_.importedFunctionCount() - inserted_;
    if (id >= firstFunctionId && idOffset(id) < imports)
      if (auto callee = onlyCallee(module_, body))
        return module_.nameOfImport(*callee);
    std::string name = names_.given(function);
    return !name.empty() ? name : wasm::FunctionNames::numbered(function - inserted_);
  }

private:
  const wasm::Module &module_;
  const wasm::FunctionNames names_;
  uint32_t inserted_ = 0;
};

} // namespace

std::vector<FunctionName> warpo::tracedNames(ArrayRef<uint8_t> bytes) {
  std::vector<FunctionName> names;
  auto module = wasm::readModule(bytes, "");
  if (!module) {
    consumeError(module.takeError());
    return names;
  }
  wasm::EntryPoints entries(*module);
  if (entries.empty())
    return names;
  const OriginalNames original(*module);
  for (auto [i, body] : enumerate(module->bodies))
    // Not always at the beginning: a check of the fuel may come before it.
    if (int32_t id = entries.firstId(body, /*atBegin=*/false); id > 0)
      names.push_back({id, original.of(module->importedFunctionCount() + uint32_t(i), body, id)});
  return names;
}

std::string warpo::nameOfModule(ArrayRef<uint8_t> bytes) {
  auto module = wasm::readModule(bytes, "");
  if (module)
    return module->names.module.str();
  consumeError(module.takeError());
  return "";
}
