//===- SymbolNames.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SymbolNames.h"
#include "warpo/Order/Wasm2cNames.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

Expected<std::vector<std::string>> warpo::symbolNames(const ComputedOrder &order,
                                                      const OrderFileOptions &options) {
  const OrderModule &module = order.module;
  std::vector<std::string> names(module.size());
  if (!options.wasm2cSymbols) {
    for (uint32_t i = 0; i != module.size(); ++i)
      names[i] = module[i].name;
    return names;
  }
  auto ofWasm2c = wasm2cFunctionNames(order.moduleBytes, module.fileName());
  if (!ofWasm2c)
    return ofWasm2c.takeError();
  if (ofWasm2c->size() != module.definedCount())
    return fileError(module.fileName(), "has " + countOf(module.definedCount(), "function") +
                                            " with code, but " +
                                            countOf(ofWasm2c->size(), "is", "are") + " declared");
  std::move(ofWasm2c->begin(), ofWasm2c->end(), names.begin() + module.importedCount());
  return names;
}
