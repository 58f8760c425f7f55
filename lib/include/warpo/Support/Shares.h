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

/// A run of items: what one thread works on.
struct Share {
  uint32_t begin = 0;
  uint32_t end = 0;
  /// Of its items together.
  uint64_t weight = 0;
};

/// Divides items into shares of about the same weight, in order: at least one, even if there are no
/// items; at most one for each thread (0: as many as there are cores); and, if there are several,
/// each of about `least` at least, for which a thread is worth its start.
std::vector<Share> divideIntoShares(llvm::ArrayRef<uint64_t> weights, unsigned threads,
                                    uint64_t least);

/// Calls `work` for each number below `count`: for 0 on this thread, for each other on a thread of
/// its own, or on this one if no more threads can be had. Returns when all have returned: the error
/// of the lowest number, as if they were called one after another.
llvm::Error workInParallel(size_t count, llvm::function_ref<llvm::Error(size_t)> work);

} // namespace warpo

#endif
