//===- HotOrder.cpp - The most expensive functions first ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/FunctionOrder.h"
#include <tuple>

using namespace llvm;
using namespace warpo;

namespace {

class HotOrder : public FunctionOrder {
public:
  bool needsCosts() const override { return true; }

  Expected<std::vector<uint32_t>> order(const OrderModule &module,
                                        ArrayRef<OrderRun> runs) const override {
    auto costs = sumCosts(module, runs);
    if (!costs)
      return costs.takeError();
    llvm::sort(*costs, [](const FunctionCost &a, const FunctionCost &b) {
      return std::tuple(b.self, b.calls, a.function) < std::tuple(a.self, a.calls, b.function);
    });
    std::vector<uint32_t> result;
    for (const FunctionCost &cost : *costs)
      result.push_back(cost.function);
    return result;
  }
};

warpo::Registry<FunctionOrder>::Add<HotOrder> registration("hot", "by self weight, most first");

} // namespace
