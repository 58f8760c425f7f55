//===- RunFrequencies.h - Guesses which runs are executed most ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// From the code alone, as compilers do without a profile (Ball and Larus, "Branch prediction for
// free", 1993): a loop goes round four times, branches go each way equally often, and hardly ever
// to code that ends by a trap or an exception.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_COUNTS_RUNFREQUENCIES_H
#define WARPO_LIB_COUNTS_RUNFREQUENCIES_H

#include "warpo/Counts/FlowGraph.h"

namespace warpo {

/// Estimates one function after another, in the same buffers. The numbers are the same on every
/// machine: plans depend on them.
class RunFrequencies {
public:
  void estimate(const FlowGraph &graph);
  /// For each call of the function.
  double operator[](uint32_t run) const { return frequencies_[run]; }

private:
  double weight(const FlowEdge &edge) const;

  std::vector<double> frequencies_;
  /// By run: the weights of the ways from it.
  std::vector<double> weights_;
  /// By run: whether some way from it ends well.
  std::vector<uint8_t> isUsual_;
};

} // namespace warpo

#endif
