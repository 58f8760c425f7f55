//===- OrderRun.h - What one run says about the order of functions --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_ORDER_ORDERRUN_H
#define WARPO_ORDER_ORDERRUN_H

#include "warpo/Order/OrderModule.h"

namespace warpo {

/// The function's own cost, in the measure of the run.
struct FunctionCost {
  uint32_t function;
  uint64_t calls;
  uint64_t self;
};

/// How often a function called another or itself. Either may be an imported function.
struct CallEdge {
  uint32_t caller;
  uint32_t callee;
  uint64_t calls;
};

/// Functions are numbered as in an OrderModule.
struct OrderRun {
  /// For messages.
  std::string name;
  /// How many runs this counts as; at least 1.
  uint64_t weight = 1;
  /// Functions with code that ran, each once, in the order of their first executions. Empty if only
  /// sums are known.
  std::vector<uint32_t> functions;
  /// The measure of the costs, also for messages: `fuel`, `time in ns`. Costs in different measures
  /// cannot be added.
  std::string costMeasure = {};
  /// The sums, by ascending indices; empty if not requested.
  std::vector<FunctionCost> costs;
  std::vector<CallEdge> edges;
};

/// The costs of the functions with code that ran, over all runs with their weights, by ascending
/// index. Sums saturate. Fails if two runs have different measures.
llvm::Expected<std::vector<FunctionCost>> sumCosts(const OrderModule &module,
                                                   llvm::ArrayRef<OrderRun> runs);

} // namespace warpo

#endif
