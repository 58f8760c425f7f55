//===- FlowCounts.h - From counters to how often everything ran -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_COUNTS_FLOWCOUNTS_H
#define WARPO_COUNTS_FLOWCOUNTS_H

#include "warpo/Counts/CounterPlan.h"

namespace warpo {

struct FlowCounts {
  /// The count of an edge that does not follow from the counters. Those of arms of branches do.
  static constexpr uint64_t unknown = UINT64_MAX;

  /// By run. The count of a free run may be unknown.
  std::vector<uint64_t> runs;
  /// By edge.
  std::vector<uint64_t> edges;
  /// How many of them came out below 0, and are 0 here: calls were left in the middle, by a trap,
  /// an exception or the end of the program.
  uint32_t negative = 0;
  /// The same for edges to the outside, which also come out negative if counting began in the
  /// middle of calls.
  uint32_t negativeExits = 0;

  /// How often the function was entered.
  uint64_t entries() const { return runs.front(); }
};

/// Computes all counts. `values` are those of `counters`, which were planned for the graph without
/// left calls. `left`: for each place in graph.left, how many calls were left there, minus those
/// that were open there when counting began, modulo 2^64.
FlowCounts solveCounts(const FlowGraph &graph, llvm::ArrayRef<PlannedCounter> counters,
                       llvm::ArrayRef<uint64_t> values, llvm::ArrayRef<uint64_t> left = {});

} // namespace warpo

#endif
