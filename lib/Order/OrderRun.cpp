//===- OrderRun.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/OrderRun.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

Expected<std::vector<FunctionCost>> warpo::sumCosts(const OrderModule &module,
                                                    ArrayRef<OrderRun> runs) {
  std::vector<FunctionCost> sums(module.size());
  for (uint32_t i = 0; i != module.size(); ++i)
    sums[i].function = i;
  const OrderRun *first = nullptr;
  for (const OrderRun &run : runs) {
    // A stream of a record has no costs of its own.
    if (run.costs.empty())
      continue;
    if (!first)
      first = &run;
    if (run.costMeasure != first->costMeasure)
      return fileError(run.name, "costs are " + run.costMeasure + ", but those of " + first->name +
                                     " are " + first->costMeasure +
                                     ", and cannot be added (--cost=calls takes what all have, "
                                     "--rate=ns says how long ticks are)");
    for (const FunctionCost &cost : run.costs) {
      FunctionCost &sum = sums[cost.function];
      sum.self = SaturatingMultiplyAdd(cost.self, run.weight, sum.self);
      sum.calls = SaturatingMultiplyAdd(cost.calls, run.weight, sum.calls);
    }
  }
  erase_if(sums, [&](const FunctionCost &sum) {
    return module.isImported(sum.function) || (sum.self == 0 && sum.calls == 0);
  });
  return sums;
}
