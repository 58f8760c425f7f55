//===- ReachedFunctions.h - Where calls by reference went -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Counts say how often each call was executed, records say who called whom. Together they show
// which functions a call by reference reached, if no other call of its function can have reached
// them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COUNTS_REACHEDFUNCTIONS_H
#define WARPO_COUNTS_REACHEDFUNCTIONS_H

#include "warpo/Counts/ModuleCounts.h"

namespace warpo {

/// How often, by the indices of caller and callee.
using TracedCalls = std::map<uint32_t, std::map<uint32_t, uint64_t>>;

struct ReachedFunction {
  uint32_t function = 0;
  uint64_t calls = 0;
};

/// By the offset of a call in a function's body; the most frequent targets first. Calls that were
/// not executed have no targets. Nor do calls of a type by which several executed calls could reach
/// the callee. A callee that the function also calls directly counts as called directly.
using ReachedFunctions = std::map<uint32_t, std::vector<ReachedFunction>>;

ReachedFunctions findReachedFunctions(const ModuleCounts &counts, const FunctionCounts &function,
                                      const TracedCalls &traced);

} // namespace warpo

#endif
