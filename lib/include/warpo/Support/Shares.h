//===- Shares.h - Divides work between threads ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_SHARES_H
#define WARPO_SUPPORT_SHARES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace warpo {

/// A range of items for one thread.
struct Share {
  uint32_t begin = 0;
  uint32_t end = 0;
  /// The total weight of its items.
  uint64_t weight = 0;
};

/// Divides items into shares of about the same weight, in order: at least one, even without items,
/// and at most one per thread (0: the number of cores). If there are several, each weighs at least
/// about `least`, the weight that justifies starting a thread.
std::vector<Share> divideIntoShares(llvm::ArrayRef<uint64_t> weights, unsigned threads,
                                    uint64_t least);

/// Calls `work` with each number below `count`: 0 on this thread, each other on a separate thread,
/// or on this one if no thread can be started. Waits for all, and returns the error of the lowest
/// number, as if they were called one after another.
llvm::Error workInParallel(size_t count, llvm::function_ref<llvm::Error(size_t)> work);

} // namespace warpo

#endif
