//===- RunFrequencies.h - Estimates frequencies of runs -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Static estimates, like compilers make without a profile (Ball and Larus, "Branch prediction for
// free", 1993): a loop has four iterations, branches go each way equally often, but hardly ever to
// code that ends by a trap or an exception.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_COUNTS_RUNFREQUENCIES_H
#define WARPO_LIB_COUNTS_RUNFREQUENCIES_H

#include "warpo/Counts/FlowGraph.h"

namespace warpo {

/// Estimates one function after another and reuses buffers. Results are the same on every machine,
/// as plans depend on them.
class RunFrequencies {
public:
  void estimate(const FlowGraph &graph);
  /// Executions per call of the function.
  double operator[](uint32_t run) const { return frequencies_[run]; }
  /// The same of an edge that comes from a run.
  double of(const FlowGraph &graph, const FlowEdge &edge) const;

private:
  double weight(const FlowEdge &edge) const;
  /// What an edge of weight 1 gets of its run. Other weights are powers of two, so that products
  /// with them are exact.
  double share(uint32_t run) const { return frequencies_[run] / weights_[run]; }

  std::vector<double> frequencies_;
  /// By run: the sum of the weights of its outgoing edges.
  std::vector<double> weights_;
  /// By run: the weight of an edge that goes forward to it. 1 if a path from it ends normally.
  std::vector<double> weightOfEntry_;
};

} // namespace warpo

#endif
