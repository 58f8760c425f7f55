//===- FlowCounts.h - From counters to how often everything ran -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_COUNTS_FLOWCOUNTS_H
#define WARPO_COUNTS_FLOWCOUNTS_H

#include "warpo/Counts/CounterPlan.h"

namespace warpo {

struct FlowCounts {
  /// Of an edge that does not follow from the counters. All arms of branches follow.
  static constexpr uint64_t unknown = UINT64_MAX;

  /// By run. One that is free may be unknown.
  std::vector<uint64_t> runs;
  /// By edge.
  std::vector<uint64_t> edges;
  /// How many of them came out below 0, and are 0 here: calls were left in the middle, by a trap,
  /// an exception or the end of the program.
  uint32_t negative = 0;
  /// The same of edges to the outside: so they also come out where counting began in the middle of
  /// calls.
  uint32_t negativeExits = 0;

  /// How often the function was entered.
  uint64_t entries() const { return runs.front(); }
};

/// What `values` say, those of the counters that are planned for a graph without places where it
/// was left; `left`: how many calls were at each of the latter that this graph has, less those in
/// the middle of which counting began there, modulo 2^64.
FlowCounts solveCounts(const FlowGraph &graph, llvm::ArrayRef<PlannedCounter> counters,
                       llvm::ArrayRef<uint64_t> values, llvm::ArrayRef<uint64_t> left = {});

} // namespace warpo

#endif
