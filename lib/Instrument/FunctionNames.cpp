//===- FunctionNames.cpp --------------------------------------------------===//

#include "warpo/Instrument/FunctionNames.h"

using namespace llvm;
using namespace warpo;

FunctionNames::FunctionNames(const wasm::Module &module) {
  names_.resize(module.functionCount());
  std::vector<StringRef> exportNames(module.functionCount());
  for (const wasm::Export &entry : module.exports)
    if (entry.kind == wasm::ExternalKind::function && exportNames[entry.index].empty())
      exportNames[entry.index] = entry.name;

  auto make = [&](const Twine &text) -> StringRef {
    made_.push_back(std::make_unique<std::string>(text.str()));
    return *made_.back();
  };
  for (uint32_t i = 0; i != module.functionCount(); ++i) {
    names_[i] = module.names.function(i);
    if (!names_[i].empty())
      continue;
    if (module.isImported(i)) {
      names_[i] = make(module.importOf(i).module + "." + module.importOf(i).name);
    } else if (!exportNames[i].empty()) {
      names_[i] = exportNames[i];
      ++namedByExport_;
    } else {
      names_[i] = make("func[" + Twine(i) + "]");
      ++unnamed_;
    }
  }
}
