//===- FunctionPermutation.h - Another order of a module's functions ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Only functions with code can move. Imported ones come first, as the format demands, and keep
// their order.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_FUNCTIONPERMUTATION_H
#define WARPO_WASM_FUNCTIONPERMUTATION_H

#include "warpo/Wasm/Module.h"
#include <vector>

namespace warpo::wasm {

class FunctionPermutation {
public:
  /// The functions of `front` come first, the others follow in their old order. Fails unless
  /// `front` has only functions with code, each at most once.
  static llvm::Expected<FunctionPermutation> create(const Module &module,
                                                    llvm::ArrayRef<uint32_t> front);

  bool isIdentity() const;

  /// Map an index of the original to the new order, and vice versa.
  uint32_t newIndex(uint32_t oldIndex) const { return newIndices_[oldIndex]; }
  uint32_t oldIndex(uint32_t newIndex) const { return oldIndices_[newIndex]; }
  /// The number of all functions, including imported ones.
  uint32_t size() const { return uint32_t(newIndices_.size()); }

private:
  std::vector<uint32_t> newIndices_;
  std::vector<uint32_t> oldIndices_;
};

} // namespace warpo::wasm

#endif
