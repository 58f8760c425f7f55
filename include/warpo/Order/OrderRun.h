//===- OrderRun.h - What one run says about the order of functions --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_ORDER_ORDERRUN_H
#define WARPO_ORDER_ORDERRUN_H

#include "warpo/Order/OrderModule.h"

namespace warpo {

/// What was spent in a function itself, in the measure of the run.
struct FunctionCost {
  uint32_t function;
  uint64_t calls;
  uint64_t self;
};

/// How often a function called another, or itself. Imported functions are called and call.
struct CallEdge {
  uint32_t caller;
  uint32_t callee;
  uint64_t calls;
};

/// Functions are those of an OrderModule.
struct OrderRun {
  /// For messages.
  std::string name;
  /// Counts as so many runs; at least 1.
  uint64_t weight = 1;
  /// Those with code that were executed, each once, in the order of their first executions. Empty
  /// where only sums are known.
  std::vector<uint32_t> functions;
  /// What costs are measured in, for messages too: `fuel`, `time in ns`. Costs of different
  /// measures cannot be added.
  std::string costMeasure = {};
  /// The sums, by ascending indices; empty if not requested.
  std::vector<FunctionCost> costs;
  std::vector<CallEdge> edges;
};

/// The costs of the functions with code that ran, over all runs with their weights, by rising
/// indices. Sums stop at the largest number. Fails if two runs measure in different ways.
llvm::Expected<std::vector<FunctionCost>> sumCosts(const OrderModule &module,
                                                   llvm::ArrayRef<OrderRun> runs);

} // namespace warpo

#endif
