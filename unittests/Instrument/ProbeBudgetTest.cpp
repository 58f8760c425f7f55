//===- ProbeBudgetTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/ProbeBudget.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace warpo;

namespace {

struct Case {
  const char *name;
  std::vector<FunctionUse> uses;
  double times;
  std::vector<uint32_t> leftOut;
  std::vector<uint32_t> hotLeftOut = {};
};

// The program takes 1000 ns, and the trace points of a call 1 ns.
constexpr double plainTime = 1000;

const Case cases[] = {
    {"nothing costs too much", {{500, 900}, {500, 100}}, 2, {}},
    {"nothing is called", {{0, 0, false, true}}, 2, {}},
    {"a cold function that is called often", {{2000, 5}, {10, 995}}, 2, {0}},
    {"of two alike the leaf", {{600, 5, true}, {600, 5, false}, {1, 990}}, 2, {1}},
    {"many calls for little time", {{600, 5}, {600, 8}, {1, 987}}, 2, {0}},
    {"hot functions are kept first", {{700, 300}, {700, 9}, {1, 691}}, 2, {1}},
    {"unless they cost too much by themselves", {{5000, 600}, {900, 390}, {5, 10}}, 2, {0}, {0}},
    {"rare functions are kept whatever they tell", {{1000, 300}, {0.05, 0}}, 2, {0}, {0}},
    {"what is left goes to what fits", {{400, 500}, {700, 490}, {500, 5}}, 2, {1}, {1}},
    {"all of a small budget", {{90, 900}, {20, 2}}, 1.1, {1}},
};

} // namespace

TEST(ProbeBudget, Chooses) {
  for (Case test : cases) {
    SCOPED_TRACE(test.name);
    for (FunctionUse &use : test.uses)
      use.isKnown = true;
    std::vector<uint32_t> all(test.uses.size());
    std::iota(all.begin(), all.end(), 0);
    ProbeBudget budget{test.times, 1, plainTime};
    BudgetChoice choice = chooseWithinBudget(test.uses, all, budget);
    EXPECT_EQ(choice.leftOut, test.leftOut);
    EXPECT_EQ(choice.hotLeftOut, test.hotLeftOut);
    EXPECT_LE(budget.slowDown(choice.keptCalls), test.times);
  }
}

TEST(ProbeBudget, LeavesOutWhatNobodyKnowsAndNothingThatIsNoCandidate) {
  std::vector<FunctionUse> uses = {
      {1, 500, false, true}, {0, 0, false, false}, {9999, 1, false, true}};
  BudgetChoice choice = chooseWithinBudget(uses, {0, 1}, {2, 1, plainTime});
  EXPECT_EQ(choice.leftOut, std::vector<uint32_t>{1});
  EXPECT_EQ(choice.calls, 1);
}

TEST(ProbeBudget, SlowsDownByWhatTracePointsTake) {
  EXPECT_EQ((ProbeBudget{2, 3, 100}.slowDown(50)), 2.5);
  EXPECT_EQ((ProbeBudget{2, 3, 0}.slowDown(0)), 1);
  EXPECT_EQ((ProbeBudget{2, 3, 0}.slowDown(1)), HUGE_VAL);
}
