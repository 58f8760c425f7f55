//===- FunctionOrderTest.cpp - The orders of small runs -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/FunctionOrder.h"
#include "OrderText.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

// Functions 1 to 5; 0 is an import.
OrderModule testModule() {
  return moduleOf({{"a", 10}, {"b", 10}, {"c", 10}, {"d", 10}, {"e", 10}});
}

std::string orderBy(StringRef name, const OrderModule &module, ArrayRef<OrderRun> runs) {
  auto order = cantFail(warpo::Registry<FunctionOrder>::create(name));
  auto functions = order->order(module, runs);
  if (!functions)
    return "error: " + toString(functions.takeError());
  std::string text;
  for (uint32_t function : *functions)
    text += std::to_string(function) + " ";
  return text;
}

OrderRun executed(std::vector<uint32_t> functions, uint64_t weight = 1) {
  OrderRun run;
  run.weight = weight;
  run.functions = std::move(functions);
  return run;
}

TEST(FunctionOrder, FirstIsTheMedianRank) {
  struct Case {
    const char *name;
    std::vector<OrderRun> runs;
    const char *expected;
  } cases[] = {
      {"no run", {}, ""},
      {"a run of nothing", {executed({})}, ""},
      {"one run", {executed({3, 1, 2})}, "3 1 2 "},
      {"the middle of three",
       {executed({1, 2, 3}), executed({3, 1, 2}), executed({1, 3, 2})},
       "1 3 2 "},
      {"a third of the runs is not half",
       {executed({1, 2}), executed({3, 2, 4, 5, 1}), executed({3, 2, 4, 5, 1})},
       "3 2 4 5 1 "},
      {"equal ranks go by the module", {executed({2, 1}), executed({1, 2})}, "1 2 "},
      {"half of the runs are enough", {executed({5, 1}), executed({2})}, "2 5 1 "},
      {"what few runs need comes last", {executed({5, 1}), executed({1}), executed({1})}, "1 5 "},
      {"of that, what more need first",
       {executed({5, 4, 1}), executed({1, 4}), executed({1}), executed({1}), executed({1})},
       "1 4 5 "},
      {"of what as many need, the one that they need first",
       {executed({1, 5, 4}), executed({1}), executed({1})},
       "1 5 4 "},
      {"weights count", {executed({1, 2}), executed({2, 1}, 3)}, "2 1 "},
      {"weights beyond 64 bits",
       {executed({1, 2}, UINT64_MAX), executed({2, 1}, UINT64_MAX)},
       "1 2 "},
  };
  OrderModule module = testModule();
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(orderBy("first", module, c.runs), c.expected);
  }
}

TEST(FunctionOrder, BalancedHasEachFunctionOnce) {
  OrderModule module = testModule();
  EXPECT_EQ(orderBy("balanced", module, {}), "");
  EXPECT_EQ(orderBy("balanced", module, {executed({})}), "");
  EXPECT_EQ(orderBy("balanced", module, {executed({4}, UINT64_MAX)}), "4 ");
  std::string text = orderBy("balanced", module, {executed({1, 2}, 1000), executed({5, 2}, 3)});
  SmallVector<StringRef> functions;
  StringRef(text).split(functions, ' ', -1, /*KeepEmpty=*/false);
  llvm::sort(functions);
  EXPECT_EQ(functions, (SmallVector<StringRef>{"1", "2", "5"}));
}

TEST(FunctionOrder, HotIsByCostAndThenByCalls) {
  OrderModule module = testModule();
  OrderRun run;
  run.costs = {{0, 1, 90}, {1, 3, 5}, {2, 4, 5}, {3, 1, 7}, {4, 0, 0}};
  EXPECT_EQ(orderBy("hot", module, run), "3 2 1 ");
}

TEST(FunctionOrder, HotAddsCostsOfOneMeasure) {
  OrderModule module = testModule();
  OrderRun first, second;
  first.name = "first";
  first.costMeasure = "time in ns";
  first.costs = {{1, 1, 5}, {2, 1, 7}};
  second.name = "second";
  second.costMeasure = "time in ns";
  second.costs = {{1, 1, 3}};
  EXPECT_EQ(orderBy("hot", module, {first, second}), "1 2 ");
  first.weight = 2;
  EXPECT_EQ(orderBy("hot", module, {first, second}), "2 1 ");
  // A stream of a record has no costs of its own, and no measure.
  EXPECT_EQ(orderBy("hot", module, {executed({3}), first, second}), "2 1 ");
  second.costMeasure = "fuel";
  EXPECT_EQ(orderBy("hot", module, {first, second}),
            "error: second: costs are fuel, but those of first are time in ns, and cannot be added "
            "(--cost=calls takes what all have, --rate=ns says how long ticks are)");
}

TEST(FunctionOrder, CallsPutCalleesBehindTheirCallers) {
  struct Case {
    const char *name;
    std::vector<TestFunction> functions;
    std::vector<FunctionCost> costs;
    std::vector<CallEdge> edges;
    const char *expected;
  } cases[] = {
      {"a chain",
       {{"a", 10}, {"b", 10}, {"c", 10}},
       {{1, 1, 0}, {2, 1, 0}, {3, 1, 0}},
       {{1, 3, 1}, {3, 2, 1}},
       "1 3 2 "},
      {"the one that calls most",
       {{"a", 10}, {"b", 10}, {"c", 10}},
       {{1, 8, 0}, {2, 8, 0}, {3, 9, 0}},
       {{1, 3, 2}, {2, 3, 7}},
       "2 3 1 "},
      {"no caller has a tenth",
       {{"a", 10}, {"b", 10}, {"c", 10}},
       {{1, 1, 0}, {2, 1, 0}, {3, 100, 0}},
       {{1, 3, 2}},
       "3 1 2 "},
      {"of equal callers the first",
       {{"a", 99}, {"b", 99}, {"c", 99}},
       {{1, 4, 0}, {2, 4, 0}, {3, 2, 0}},
       {{1, 3, 1}, {2, 3, 1}},
       "2 1 3 "},
      {"1 of 9 is more than a tenth",
       {{"a", 99}, {"b", 99}, {"c", 99}},
       {{1, 20, 0}, {2, 30, 0}, {3, 9, 0}},
       {{1, 3, 1}},
       "2 1 3 "},
      {"1 of 10 is not",
       {{"a", 99}, {"b", 99}, {"c", 99}},
       {{1, 20, 0}, {2, 15, 0}, {3, 10, 0}},
       {{1, 3, 1}},
       "1 2 3 "},
      {"nor is 1 of 19",
       {{"a", 99}, {"b", 99}, {"c", 99}},
       {{1, 30, 0}, {2, 25, 0}, {3, 19, 0}},
       {{1, 3, 1}},
       "1 2 3 "},
      // If the sum wrapped, the cluster would look too thin.
      {"all calls there can be",
       {{"a", 99}, {"b", 99}, {"c", 99}},
       {{1, UINT64_MAX, 0}, {2, 100, 0}, {3, 11, 0}},
       {{1, 3, 11}},
       "1 3 2 "},
      {"a caller from before the window",
       {{"a", 99}, {"b", 99}, {"c", 99}},
       {{2, 4, 0}, {3, 9, 0}},
       {{1, 3, 9}},
       "3 2 "},
      {"callers of each other",
       {{"a", 99}, {"b", 99}},
       {{1, 2, 0}, {2, 3, 0}},
       {{1, 2, 3}, {2, 1, 2}},
       "1 2 "},
      {"clusters behind clusters",
       {{"a", 99}, {"b", 99}, {"c", 99}, {"d", 99}},
       {{1, 4, 0}, {2, 5, 0}, {3, 7, 0}, {4, 6, 0}},
       {{2, 3, 7}, {2, 4, 6}, {1, 2, 5}},
       "1 2 3 4 "},
      {"recursion is no call",
       {{"a", 10}, {"b", 10}},
       {{1, 1, 0}, {2, 100, 0}},
       {{2, 2, 99}, {1, 2, 1}},
       "2 1 "},
      {"a large callee would thin out",
       {{"a", 10}, {"b", 8000}, {"c", 10}},
       {{1, 99, 0}, {2, 99, 0}, {3, 50, 0}},
       {{1, 2, 99}},
       "1 3 2 "},
      {"nor grows a cluster beyond its limit",
       {{"a", 900000}, {"b", 900000}},
       {{1, 5, 0}, {2, 5, 0}},
       {{2, 1, 5}},
       "1 2 "},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name);
    OrderRun run;
    run.costs = c.costs;
    run.edges = c.edges;
    EXPECT_EQ(orderBy("calls", moduleOf(c.functions), run), c.expected);
  }
  EXPECT_EQ(orderBy("calls", testModule(), executed({1, 2})),
            "error: order 'calls' needs records of all calls: these have no call from one function "
            "to another");
}

// Each cluster is put behind that of its caller, and what is in it must not be looked at again.
TEST(FunctionOrder, CallsTakesALongChain) {
  static constexpr uint32_t count = 100000;
  OrderModule module = moduleOf(std::vector<TestFunction>(count, TestFunction{"", 2}));
  OrderRun run;
  std::string expected;
  for (uint32_t i = 1; i <= count; ++i) {
    run.costs.push_back({i, count + i, 0});
    if (i > 1)
      run.edges.push_back({i - 1, i, count + i});
    expected += std::to_string(i) + " ";
  }
  EXPECT_TRUE(orderBy("calls", module, run) == expected);
}

} // namespace
