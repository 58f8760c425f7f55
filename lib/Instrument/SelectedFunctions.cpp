//===- SelectedFunctions.cpp ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SelectedFunctions.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/Shares.h"
#include "warpo/Wasm/BodyHash.h"
#include "warpo/Wasm/FunctionNames.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace warpo;

Error warpo::selectFunctions(const wasm::Module &module, const InstrumentOptions &options,
                             InstrumentedModule &result) {
  auto selection = FunctionSelection::create(options.selection);
  if (!selection)
    return selection.takeError();
  wasm::FunctionNames names(module);
  result.namedByExport = names.namedByExport();
  result.unnamed = names.unnamed();
  StringSaver saver(result.functionNames);
  result.functions.reserve(module.functionCount());
  for (uint32_t i = 0; i != module.functionCount(); ++i) {
    FunctionReport function;
    std::string name = names[i];
    function.name = saver.save(StringRef(name));
    function.index = i;
    function.isImported = module.isImported(i);
    if (!function.isImported) {
      const wasm::ByteRange &body = module.bodies[i - module.importedFunctionCount()];
      function.codeOffset = body.offset;
      function.codeSize = uint32_t(body.bytes.size());
      if (options.hashBodies)
        function.bodyHash = wasm::hashBody(body.bytes);
    }
    Expected<Selection> selected = selection->select(module, i, name);
    if (!selected)
      return selected.takeError();
    function.selection = *selected;
    result.functions.push_back(function);
  }
  if (options.leaveOut) {
    auto leftOut = options.leaveOut(module, result.functions);
    if (!leftOut)
      return leftOut.takeError();
    for (uint32_t function : *leftOut)
      result.functions[function].selection = Selection::budget;
  }
  int64_t nextId = firstFunctionId;
  for (FunctionReport &function : result.functions) {
    if (function.selection != Selection::taken)
      continue;
    if (nextId > INT32_MAX)
      return fileError(module.fileName, "more functions than there are ids");
    function.id = int32_t(nextId++);
  }
  return Error::success();
}

wasm::SymbolFile warpo::numberedNames(const wasm::Module &module,
                                      const InstrumentedModule &result) {
  wasm::SymbolFile symbols;
  wasm::FunctionNames names(module);
  if (!module.damagedNames.empty() || names.unnamed() == 0)
    return symbols;
  symbols.functions.resize(module.functionCount());
  // Names of imported functions are known.
  std::vector<uint64_t> sizes;
  sizes.reserve(module.bodies.size());
  for (const wasm::ByteRange &body : module.bodies)
    sizes.push_back(body.bytes.size());
  // With less code than this, starting a thread takes longer than the work.
  constexpr uint64_t leastShare = 1 << 18;
  std::vector<Share> shares = divideIntoShares(sizes, /*threads=*/0, leastShare);
  cantFail(workInParallel(shares.size(), [&](size_t number) {
    for (uint32_t i = shares[number].begin; i != shares[number].end; ++i) {
      uint32_t function = module.importedFunctionCount() + i;
      if (result.functions[function].id && names.given(function).empty())
        symbols.functions[function] = names.recorded(function);
    }
    return Error::success();
  }));
  return symbols;
}
