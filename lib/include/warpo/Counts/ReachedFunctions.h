//===- ReachedFunctions.h - Where calls through tables and references went ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Counts know how often each call was executed, records who called whom. Together they say which
// functions a call by reference reached, where one call of its function alone can have reached
// them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COUNTS_REACHEDFUNCTIONS_H
#define WARPO_COUNTS_REACHEDFUNCTIONS_H

#include "warpo/Counts/ModuleCounts.h"

namespace warpo {

/// By the index of the caller and that of the callee, how often.
using TracedCalls = std::map<uint32_t, std::map<uint32_t, uint64_t>>;

struct ReachedFunction {
  uint32_t function = 0;
  uint64_t calls = 0;
};

/// By the offset of a call in a function's body; the most frequent targets first. Calls that were
/// not executed have none, nor have those of a type that several executed calls could reach such a
/// callee by. What the function calls by its name too counts as called so.
using ReachedFunctions = std::map<uint32_t, std::vector<ReachedFunction>>;

ReachedFunctions findReachedFunctions(const ModuleCounts &counts, const FunctionCounts &function,
                                      const TracedCalls &traced);

} // namespace warpo

#endif
