//===- OrderEvaluation.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/OrderEvaluation.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

StartUpCost warpo::startUpCost(const OrderModule &module, ArrayRef<uint32_t> layout,
                               ArrayRef<uint32_t> functions) {
  std::vector<bool> executed(module.size());
  for (uint32_t function : functions)
    executed[function] = true;
  StartUpCost cost;
  uint64_t offset = 0;
  // The first page that no function before this one has touched.
  uint64_t untouched = 0;
  for (uint32_t function : layout) {
    uint64_t end = offset + module[function].codeSize;
    if (executed[function]) {
      uint64_t first = std::max(untouched, offset / StartUpCost::pageSize);
      untouched = std::max(untouched, divideCeil(end, StartUpCost::pageSize));
      cost.touchedPages += untouched - first;
      cost.bytes = end;
    }
    offset = end;
  }
  cost.pages = divideCeil(cost.bytes, StartUpCost::pageSize);
  return cost;
}

std::vector<uint32_t> warpo::layoutOf(const OrderModule &module, ArrayRef<uint32_t> order) {
  std::vector<uint32_t> layout(order);
  append_range(layout, module.definedExcept(order));
  return layout;
}

Expected<std::vector<RunEvaluation>> warpo::evaluateOrder(const FunctionOrder &order,
                                                          const OrderModule &module,
                                                          ArrayRef<OrderRun> runs,
                                                          unsigned groups) {
  if (groups < 2 || groups > runs.size())
    return makeError("an order cannot be evaluated with " + countOf(runs.size(), "run") + " in " +
                     countOf(groups, "group") + ": it takes two groups, and a run in each");
  for (const OrderRun &run : runs)
    if (run.functions.empty())
      return fileError(run.name, "an order cannot be evaluated with a run that executed nothing");
  std::vector<uint32_t> original = layoutOf(module, {});
  std::vector<RunEvaluation> result(runs.size());
  for (unsigned group = 0; group != groups; ++group) {
    std::vector<OrderRun> others;
    for (size_t i = 0; i != runs.size(); ++i)
      if (i % groups != group)
        others.push_back(runs[i]);
    auto functions = order.order(module, others);
    if (!functions)
      return functions.takeError();
    std::vector<uint32_t> layout = layoutOf(module, *functions);
    std::vector<bool> seen(module.size());
    for (const OrderRun &run : others)
      for (uint32_t function : run.functions)
        seen[function] = true;
    for (size_t i = group; i < runs.size(); i += groups) {
      const OrderRun &run = runs[i];
      uint64_t unseen = uint64_t(
          llvm::count_if(run.functions, [&](uint32_t function) { return !seen[function]; }));
      result[i] = {run.name, startUpCost(module, original, run.functions),
                   startUpCost(module, layout, run.functions), unseen};
    }
  }
  return result;
}
