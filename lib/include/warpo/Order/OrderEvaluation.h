//===- OrderEvaluation.h - Measures an order by runs not used for it ------===//
// SPDX-License-Identifier: Apache-2.0
//
// An order always looks good for the runs that it was made from. Therefore the runs are divided
// into groups, and each run is measured in a layout made from the other groups.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_ORDER_ORDEREVALUATION_H
#define WARPO_ORDER_ORDEREVALUATION_H

#include "warpo/Order/FunctionOrder.h"

namespace warpo {

/// How much of a code section, aligned to a page, a run has to wait for and touches.
struct StartUpCost {
  static constexpr uint64_t pageSize = 4096;

  /// Up to the end of the last function that the run executes.
  uint64_t bytes = 0;
  /// The same in pages.
  uint64_t pages = 0;
  /// Pages with code of the executed functions.
  uint64_t touchedPages = 0;
};

/// `layout` has all functions with code, in their new order; `functions` those that the run
/// executes.
StartUpCost startUpCost(const OrderModule &module, llvm::ArrayRef<uint32_t> layout,
                        llvm::ArrayRef<uint32_t> functions);

/// The functions of an order, followed by the others in the module's order.
std::vector<uint32_t> layoutOf(const OrderModule &module, llvm::ArrayRef<uint32_t> order);

struct RunEvaluation {
  /// The name of the run.
  std::string name;
  StartUpCost original;
  StartUpCost ordered;
  /// The number of its functions that the other runs did not execute.
  uint64_t unseen = 0;
};

/// One result for each run, in their order. The n-th run is in group n mod `groups`. Fails if there
/// are fewer than two groups or more groups than runs, or if a run has no list of executed
/// functions.
llvm::Expected<std::vector<RunEvaluation>> evaluateOrder(const FunctionOrder &order,
                                                         const OrderModule &module,
                                                         llvm::ArrayRef<OrderRun> runs,
                                                         unsigned groups);

} // namespace warpo

#endif
