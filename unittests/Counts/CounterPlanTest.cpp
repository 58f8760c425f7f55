//===- CounterPlanTest.cpp - Where counters are placed, and why -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "FlowEquations.h"
#include "FlowPlaces.h"
#include "KnownFlow.h"
#include "RandomBody.h"
#include "RunDominators.h"
#include "warpo/Counts/FlowCounts.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {
class CounterPlanTest : public testing::TestWithParam<CounterChoice> {};
} // namespace

// Kept arms are counted or follow from the other places.
static bool keepsArms(CounterChoice choice) { return choice == CounterChoice::tree; }

static FlowEquations knowCounted(const FlowGraph &graph, CounterChoice choice) {
  FlowEquations flow = equationsOfEdges(graph);
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    if (!isFree(graph, run))
      flow.know(run, 0);
  for (const FlowBranch &branch : graph.branches)
    if (branch.takesNoValues && keepsArms(choice))
      for (uint32_t arm : branch.arms)
        flow.know(edgeVariable(graph, arm), 0);
  return flow;
}

// A plan does not look for edges that do not follow where the edges form a forest.
TEST_P(CounterPlanTest, EdgesFollowIfTheyFormAForest) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, GetParam() == CounterChoice::all);
  uint64_t forests = 0, others = 0;
  for (uint32_t seed = 0; seed != 3000; ++seed) {
    SCOPED_TRACE(seed);
    RandomBody body(seed);
    const FlowGraph &graph = cantFail(finder.find(body.range(), "body"));
    FlowEquations flow = knowCounted(graph, GetParam());
    bool follow = true;
    for (uint32_t variable = 0; variable != graph.runs.size() + graph.edges.size(); ++variable)
      follow &= flow.isKnown(variable);
    ASSERT_EQ(FlowPlaces(graph, keepsArms(GetParam())).edgesFollow(), follow);
    ++(follow ? forests : others);
  }
  EXPECT_GT(forests, 500u);
  EXPECT_GT(others, 500u);
}

// Elsewhere it finds those that the equations do not determine.
TEST_P(CounterPlanTest, KnownFlowIsThatOfTheEquations) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, GetParam() == CounterChoice::all);
  KnownFlow known;
  uint64_t open = 0;
  for (uint32_t seed = 0; seed != 3000; ++seed) {
    SCOPED_TRACE(seed);
    RandomBody body(seed);
    const FlowGraph &graph = cantFail(finder.find(body.range(), "body"));
    FlowEquations flow = knowCounted(graph, GetParam());
    known.find(graph, FlowPlaces(graph, keepsArms(GetParam())).keptEdges());
    auto expectSame = [&] {
      for (uint32_t run = 0; run != graph.runs.size(); ++run)
        ASSERT_EQ(known.isRunKnown(run), flow.isKnown(run)) << run;
      for (uint32_t edge = 0; edge != graph.edges.size(); ++edge)
        ASSERT_EQ(known.isEdgeKnown(edge), flow.isKnown(edgeVariable(graph, edge))) << edge;
    };
    expectSame();
    // One that does not follow says more.
    for (uint32_t run = 0; run != graph.runs.size(); ++run)
      if (!known.isRunKnown(run)) {
        ++open;
        known.knowRun(run);
        flow.know(run, 0);
        expectSame();
      }
    for (uint32_t edge = 0; edge != graph.edges.size(); ++edge)
      if (!known.isEdgeKnown(edge)) {
        ++open;
        known.knowEdge(edge);
        flow.know(edgeVariable(graph, edge), 0);
        expectSame();
      }
  }
  EXPECT_GT(open, 500u);
}

// Whether a run can be reached without passing another one, and without going back.
static bool isReachedWithout(const FlowGraph &graph, uint32_t passed, uint32_t run) {
  std::vector<bool> isReached(graph.runs.size());
  isReached[0] = passed != 0;
  uint32_t current = 0;
  for (const FlowEdge &edge : graph.edges) {
    uint32_t from = edge.from == FlowEdge::outside ? 0 : edge.from;
    current = std::max(current, from);
    bool isBack = edge.to <= current;
    if (edge.to != FlowEdge::outside && edge.to != passed && !isBack && isReached[from])
      isReached[edge.to] = true;
  }
  return isReached[run];
}

TEST(RunDominatorsTest, EachRunIsBelowTheLastThatAllWaysPass) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs);
  RunDominators dominators;
  uint64_t nested = 0;
  for (uint32_t seed = 0; seed != 3000; ++seed) {
    SCOPED_TRACE(seed);
    RandomBody body(seed);
    const FlowGraph &graph = cantFail(finder.find(body.range(), "body"));
    dominators.find(graph);
    for (uint32_t run = 1; run != graph.runs.size(); ++run) {
      uint32_t above = run - 1;
      while (isReachedWithout(graph, above, run))
        --above;
      ASSERT_EQ(dominators.above(run), above) << run;
      nested += above != 0;
    }
  }
  EXPECT_GT(nested, 5000u);
}

TEST(FlowGraphTest, SaysWhatIsNoPlaceToLeaveAt) {
  // No variables; block, i32.const 1, drop, return, drop, end, end.
  const uint8_t body[] = {0, 0x02, 0x40, 0x41, 1, 0x1a, 0x0f, 0x1a, 0x0b, 0x0b};
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs);
  const FlowGraph &graph = cantFail(finder.find({body, 0}, "body", {0, 4, 5, 6, 7, 20}));
  ASSERT_EQ(graph.left.size(), 1u);
  EXPECT_EQ(graph.left[0].offset, 5u);
  EXPECT_EQ(graph.misplaced, (std::vector<uint32_t>{4, 7, 20}));
}

static std::vector<uint32_t> plannedOffsets(ArrayRef<uint8_t> code) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs);
  const FlowGraph &graph = cantFail(finder.find({code, 0}, "code"));
  std::vector<uint32_t> offsets;
  for (const PlannedCounter &counter : planCounters(graph, CounterChoice::tree))
    offsets.push_back(counter.offset);
  return offsets;
}

// Both arms of an `if`, whose sum is the entry, rather than the entry and one of them.
TEST(PlannedCountersTest, PlacesThatAreExecutedLessGetTheCounters) {
  const uint8_t code[] = {0,         "local.get"_op, 0, "if"_op,  0x40,      "nop"_op, "call"_op, 0,
                          "else"_op, "call"_op,      0, "end"_op, "call"_op, 0,        "end"_op};
  EXPECT_EQ(plannedOffsets(code), (std::vector<uint32_t>{5, 9}));
}

// The way to a trap rather than what is behind it.
TEST(PlannedCountersTest, CodeThatTrapsIsTakenForRare) {
  const uint8_t code[] = {
      0,        "loop"_op,        0x40,      "local.get"_op, 0, "if"_op,  0x40,    "call"_op,
      0,        "unreachable"_op, "else"_op, "call"_op,      0, "end"_op, "br"_op, 0,
      "end"_op, "end"_op};
  EXPECT_EQ(plannedOffsets(code), (std::vector<uint32_t>{7, 11}));
}

// An interpreter: the dispatch is executed most, and one arm of its table leads straight back to
// it.
TEST(PlannedCountersTest, DispatchIsNotCountedWhereAnArmLeadsBack) {
  const uint8_t code[] = {
      0,        "loop"_op,     0x40, "block"_op, 0x40,      "block"_op, 0x40,     "call"_op,
      0,        "br_table"_op, 2,    0,          1,         2,          "end"_op, "call"_op,
      0,        "br"_op,       1,    "end"_op,   "call"_op, 0,          "br"_op,  0,
      "end"_op, "end"_op};
  EXPECT_EQ(plannedOffsets(code), (std::vector<uint32_t>{9, 15, 20}));
}

INSTANTIATE_TEST_SUITE_P(Choices, CounterPlanTest,
                         testing::Values(CounterChoice::tree, CounterChoice::all));
