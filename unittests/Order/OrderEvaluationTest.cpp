//===- OrderEvaluationTest.cpp - What layouts cost runs -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/OrderEvaluation.h"
#include "OrderText.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

// Functions 1 to 5, of which the sizes take two bytes each.
OrderModule testModule() {
  return moduleOf({{"a", 998}, {"b", 3094}, {"c", 4094}, {"d", 8190}, {"e", 998}});
}

TEST(OrderEvaluation, CostsOfLayouts) {
  OrderModule module = testModule();
  struct Case {
    const char *name;
    std::vector<uint32_t> order;
    std::vector<uint32_t> functions;
    uint64_t bytes, pages, touched;
  } cases[] = {
      {"nothing runs", {}, {}, 0, 0, 0},
      {"the first", {}, {1}, 1000, 1, 1},
      {"up to the end of a page", {}, {1, 2}, 4096, 1, 1},
      {"the last, on a page of its own", {}, {5}, 17384, 5, 1},
      {"first and last", {}, {5, 1}, 17384, 5, 2},
      {"over two pages", {}, {4}, 16384, 4, 2},
      {"the last is first", {5}, {5}, 1000, 1, 1},
      {"two share a page", {5, 1}, {5, 1}, 2000, 1, 1},
      {"over a page's end", {5, 2, 1}, {5, 2, 1}, 5096, 2, 2},
      {"a gap within a page", {5, 1, 2}, {5, 2}, 5096, 2, 2},
      {"imports take nothing", {}, {0, 1}, 1000, 1, 1},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name);
    StartUpCost cost = startUpCost(module, layoutOf(module, c.order), c.functions);
    EXPECT_EQ(cost.bytes, c.bytes);
    EXPECT_EQ(cost.pages, c.pages);
    EXPECT_EQ(cost.touchedPages, c.touched);
  }
}

/// Orders by the runs' first executions, one after the other.
class InTurn : public FunctionOrder {
public:
  Expected<std::vector<uint32_t>> order(const OrderModule &module,
                                        ArrayRef<OrderRun> runs) const override {
    std::vector<uint32_t> result;
    for (const OrderRun &run : runs)
      for (uint32_t function : run.functions)
        if (!is_contained(result, function))
          result.push_back(function);
    return result;
  }
};

OrderRun runOf(StringRef name, std::vector<uint32_t> functions) {
  OrderRun run;
  run.name = name.str();
  run.functions = std::move(functions);
  return run;
}

TEST(OrderEvaluation, RunsAreMeasuredInOrdersOfTheOthers) {
  OrderModule module = testModule();
  std::vector<OrderRun> runs = {runOf("x", {5}), runOf("y", {5, 1}), runOf("z", {3})};
  auto result = evaluateOrder(InTurn(), module, runs, 3);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  ASSERT_EQ(result->size(), 3u);
  EXPECT_EQ((*result)[0].name, "x");
  EXPECT_EQ((*result)[0].original.bytes, 17384u);
  EXPECT_EQ((*result)[0].ordered.bytes, 1000u);
  EXPECT_EQ((*result)[0].unseen, 0u);
  // The order is 5, 3, and the rest as it was.
  EXPECT_EQ((*result)[1].ordered.bytes, 6096u);
  EXPECT_EQ((*result)[1].unseen, 1u);
  EXPECT_EQ((*result)[2].ordered.bytes, 1000u + 1000u + 3096u + 4096u);
  EXPECT_EQ((*result)[2].unseen, 1u);
}

TEST(OrderEvaluation, NeedsRunsInAllGroups) {
  OrderModule module = testModule();
  std::vector<OrderRun> runs = {runOf("x", {5}), runOf("sums", {})};
  for (unsigned groups : {0, 1, 3})
    EXPECT_TRUE(StringRef(toString(evaluateOrder(InTurn(), module, runs, groups).takeError()))
                    .starts_with("an order cannot be evaluated with 2 runs in"));
  EXPECT_EQ(toString(evaluateOrder(InTurn(), module, runs, 2).takeError()),
            "sums: an order cannot be evaluated with a run that executed nothing");
}

} // namespace
