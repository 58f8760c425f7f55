//===- FunctionOrder.h - The registry of ways to order functions ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// To add one, add one .cpp to lib/Order that derives from FunctionOrder and registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_ORDER_FUNCTIONORDER_H
#define WARPO_ORDER_FUNCTIONORDER_H

#include "warpo/Order/OrderModule.h"
#include "warpo/Order/OrderRun.h"
#include "warpo/Support/Registry.h"

namespace warpo {

class FunctionOrder {
public:
  static constexpr llvm::StringLiteral kind = "order";
  virtual ~FunctionOrder();

  /// Whether it uses the costs and calls of runs rather than their first executions.
  virtual bool needsCosts() const { return false; }

  /// Orders the functions with code that ran, each once. The same runs give the same order. Fails
  /// if the runs lack what it needs.
  virtual llvm::Expected<std::vector<uint32_t>> order(const OrderModule &module,
                                                      llvm::ArrayRef<OrderRun> runs) const = 0;
};

} // namespace warpo

#endif
