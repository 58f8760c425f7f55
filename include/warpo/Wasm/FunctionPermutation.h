//===- FunctionPermutation.h - Another order of a module's functions ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Only functions with code have a choice of where to stand: imported ones come first, as the format
// demands, and stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_FUNCTIONPERMUTATION_H
#define WARPO_WASM_FUNCTIONPERMUTATION_H

#include "warpo/Wasm/Module.h"
#include <vector>

namespace warpo::wasm {

class FunctionPermutation {
public:
  /// The functions of `front` come first, the others follow in the order that they have. Fails
  /// where `front` has something else than functions with code, each once.
  static llvm::Expected<FunctionPermutation> create(const Module &module,
                                                    llvm::ArrayRef<uint32_t> front);

  bool isIdentity() const;

  /// From an index of the original to that in the new order, and the other way round.
  uint32_t newIndex(uint32_t oldIndex) const { return newIndices_[oldIndex]; }
  uint32_t oldIndex(uint32_t newIndex) const { return oldIndices_[newIndex]; }
  /// All functions, imported ones first.
  uint32_t size() const { return uint32_t(newIndices_.size()); }

private:
  std::vector<uint32_t> newIndices_;
  std::vector<uint32_t> oldIndices_;
};

} // namespace warpo::wasm

#endif
