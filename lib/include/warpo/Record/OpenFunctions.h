//===- OpenFunctions.h - The functions that are open on a stack -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_OPENFUNCTIONS_H
#define WARPO_RECORD_OPENFUNCTIONS_H

#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <vector>

namespace warpo {

/// Follows the entries of one stack, and gives its functions dense numbers; 0 stands for the host.
/// Cheap also for damaged records.
class OpenFunctions {
public:
  void follow(int32_t id);
  /// The number of the innermost open function.
  uint32_t innermost() const { return open_.empty() ? 0 : open_.back(); }
  /// 0 for the host.
  int32_t idOf(uint32_t number) const { return functions_[number].id; }
  /// How many functions there have been, with the host.
  size_t size() const { return functions_.size(); }

private:
  struct Function {
    int32_t id = 0;
    uint64_t openCalls = 0;
  };
  std::vector<Function> functions_{{}};
  llvm::DenseMap<int32_t, uint32_t> numbers_;
  /// Outermost first.
  std::vector<uint32_t> open_;
};

} // namespace warpo

#endif
