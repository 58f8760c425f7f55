//===- OrderEvaluation.h - What an order is worth to runs it never saw ----===//
// SPDX-License-Identifier: Apache-2.0
//
// An order says little if it is judged by the runs that it was made from. Therefore the runs are
// divided into groups, and each run is measured in a layout made from the other groups.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_ORDER_ORDEREVALUATION_H
#define WARPO_ORDER_ORDEREVALUATION_H

#include "warpo/Order/FunctionOrder.h"

namespace warpo {

/// What a run has to wait for, and touches, of a code section that begins at a page's start.
struct StartUpCost {
  static constexpr uint64_t pageSize = 4096;

  /// Up to the end of the last function that the run executes.
  uint64_t bytes = 0;
  /// As many pages.
  uint64_t pages = 0;
  /// Pages with code of functions that it executes.
  uint64_t touchedPages = 0;
};

/// `layout` is all functions with code, in their order; `functions` those that the run executes.
StartUpCost startUpCost(const OrderModule &module, llvm::ArrayRef<uint32_t> layout,
                        llvm::ArrayRef<uint32_t> functions);

/// A layout: the functions of an order, and behind them the others in the module's order.
std::vector<uint32_t> layoutOf(const OrderModule &module, llvm::ArrayRef<uint32_t> order);

struct RunEvaluation {
  /// Of the run.
  std::string name;
  StartUpCost original;
  StartUpCost ordered;
  /// How many of its functions the other runs did not execute.
  uint64_t unseen = 0;
};

/// One of each run, in their order. The n-th run is in group n mod `groups`. Fails if there are
/// fewer than two groups or more groups than runs, or if a run does not say what it executed.
llvm::Expected<std::vector<RunEvaluation>> evaluateOrder(const FunctionOrder &order,
                                                         const OrderModule &module,
                                                         llvm::ArrayRef<OrderRun> runs,
                                                         unsigned groups);

} // namespace warpo

#endif
