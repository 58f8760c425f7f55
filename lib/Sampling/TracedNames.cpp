//===- TracedNames.cpp ----------------------------------------------------===//

#include "warpo/Sampling/TracedNames.h"
#include "warpo/Wasm/TracePoints.h"

using namespace llvm;
using namespace warpo;

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
  for (auto [i, body] : enumerate(module->bodies)) {
    StringRef name = module->names.function(module->importedFunctionCount() + uint32_t(i));
    // What traces around an import is called by the import's name.
    name.consume_back(" (traced)");
    if (name.empty())
      continue;
    // Not always at the beginning: a check of the fuel may come before it.
    if (int32_t id = entries.firstId(body, /*atBegin=*/false); id > 0)
      names.push_back({id, name.str()});
  }
  return names;
}

std::string warpo::nameOfModule(ArrayRef<uint8_t> bytes) {
  auto module = wasm::readModule(bytes, "");
  if (module)
    return module->names.module.str();
  consumeError(module.takeError());
  return "";
}
