//===- FunctionPermutation.cpp --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/FunctionPermutation.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

Expected<FunctionPermutation> FunctionPermutation::create(const Module &module,
                                                          ArrayRef<uint32_t> front) {
  static constexpr uint32_t unplaced = UINT32_MAX;
  FunctionPermutation permutation;
  permutation.newIndices_.assign(module.functionCount(), unplaced);
  permutation.oldIndices_.reserve(module.functionCount());
  auto place = [&](uint32_t function) {
    permutation.newIndices_[function] = uint32_t(permutation.oldIndices_.size());
    permutation.oldIndices_.push_back(function);
  };
  for (uint32_t i = 0; i != module.importedFunctionCount(); ++i)
    place(i);
  for (uint32_t function : front) {
    if (function >= module.functionCount())
      return fileError(module.fileName, "an order with function " + Twine(function) +
                                            ", but the module has only " +
                                            Twine(module.functionCount()));
    if (module.isImported(function))
      return fileError(module.fileName, "an order with function " + Twine(function) +
                                            ", which is imported and has no code");
    if (permutation.newIndices_[function] != unplaced)
      return fileError(module.fileName,
                       "an order with function " + Twine(function) + " more than once");
    place(function);
  }
  for (uint32_t i = module.importedFunctionCount(); i != module.functionCount(); ++i)
    if (permutation.newIndices_[i] == unplaced)
      place(i);
  return permutation;
}

bool FunctionPermutation::isIdentity() const {
  return newIndices_ == oldIndices_ && is_sorted(newIndices_);
}
