//===- KnownFlow.h - Which counts follow from others ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_COUNTS_KNOWNFLOW_H
#define WARPO_LIB_COUNTS_KNOWNFLOW_H

#include "warpo/Counts/CounterPlan.h"

namespace warpo {

/// Which counts of edges and free runs follow from the known ones, but not their values: that
/// is FlowEquations' task, which takes longer. A run is executed as often as the ways to it
/// together, and as the ways from it. So if all but one of these are known, that one is too. No
/// rule balances the function's entries with its exits.
class KnownFlow {
public:
  /// All runs that are not free are known, and these edges. Reuses its memory. `graph` must outlive
  /// it.
  void find(const FlowGraph &graph, llvm::ArrayRef<uint8_t> isKnownEdge);

  bool isRunKnown(uint32_t run) const { return isKnown_[edges() + run]; }
  bool isEdgeKnown(uint32_t edge) const { return isKnown_[edge]; }
  void knowRun(uint32_t run) { know(edges() + run); }
  void knowEdge(uint32_t edge) { know(edge); }

private:
  struct Sum {
    uint32_t unknown = 0; ///< How many of its terms are.
    /// The sum of the numbers of the unknown terms; of the last one, its number.
    uint32_t numbers = 0;
  };

  uint32_t edges() const { return uint32_t(graph_->edges.size()); }
  template <typename Use> void forEachSum(uint32_t number, Use use);
  void know(uint32_t number);

  const FlowGraph *graph_ = nullptr;
  /// Of the ways to each run and, behind that, of those from it.
  std::vector<Sum> sums_;
  /// By number: edges come before runs.
  std::vector<uint8_t> isKnown_;
  /// Those that are known, but still in their sums.
  std::vector<uint32_t> learnt_;
};

} // namespace warpo

#endif
