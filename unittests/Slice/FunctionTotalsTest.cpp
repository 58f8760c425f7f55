//===- FunctionTotalsTest.cpp - Sums by function, and single calls --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/FunctionTotals.h"
#include "warpo/Slice/CallTree.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace llvm;
using namespace warpo;

namespace {

constexpr EventKind begin = EventKind::begin, end = EventKind::endReturned;
constexpr auto distributed = FunctionTotals::Calls::distributed;

void declare(FunctionTable &functions, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    functions.pseudoFunction(std::string(1, char('a' + i)));
}

TEST(FunctionTotals, CountsEachCallWithWhatItCalls) {
  FunctionTable functions;
  declare(functions, 2);
  FunctionTotals totals(functions, distributed);
  // main calls f, which calls itself; then f once more.
  const Event events[] = {{0, 0, begin}, {10, 1, begin}, {20, 1, begin}, {50, 1, end},
                          {60, 1, end},  {70, 1, begin}, {75, 1, end},   {100, 0, end}};
  cantFail(totals.events({0, events, {}}));
  cantFail(totals.finish());
  const FunctionCalls &f = totals.calls()[1];
  EXPECT_EQ(f.durations.count(), 3u);
  EXPECT_EQ(f.sum, 85u);
  EXPECT_EQ(f.longest, 50u);
  EXPECT_EQ(f.durations.quantile(0.5), 30u);
  EXPECT_EQ(f.deepestRecursion, 2u);
  EXPECT_EQ(totals.calls()[0].longest, 100u);
  EXPECT_EQ(totals.calls()[0].deepestRecursion, 1u);
  EXPECT_EQ(totals.sums()[0].time.self, 45u);
  EXPECT_EQ(totals.sums()[0].time.total, 100u);
  EXPECT_EQ(totals.sums()[0].calls.total, 4u);
  EXPECT_EQ(totals.sums()[0].callees, 2u);
  // A call within a call of the same function counts for the total once.
  EXPECT_EQ(totals.sums()[1].time.total, 55u);
  EXPECT_EQ(totals.sums()[1].calls.self, 3u);
  EXPECT_EQ(totals.sums()[1].calls.total, 3u);
}

TEST(FunctionTotals, ACallOpenAtTheEndHasNoDuration) {
  FunctionTable functions;
  declare(functions, 2);
  FunctionTotals totals(functions, distributed);
  const Event events[] = {
      {0, 0, begin}, {5, 1, begin}, {9, 1, EventKind::endUnwound}, {9, 0, EventKind::endOpen}};
  cantFail(totals.events({0, events, {}}));
  cantFail(totals.finish());
  EXPECT_EQ(totals.calls()[0].durations.count(), 0u);
  EXPECT_EQ(totals.calls()[0].deepestRecursion, 1u);
  EXPECT_EQ(totals.calls()[1].sum, 4u);
  EXPECT_EQ(totals.sums()[0].time.total, 9u);
}

TEST(FunctionTotals, StreamsDoNotMix) {
  FunctionTable functions;
  declare(functions, 4);
  FunctionTotals totals(functions, distributed);
  const Event one[] = {{0, 3, begin}}, other[] = {{100, 3, begin}, {107, 3, end}},
              rest[] = {{1000, 3, end}};
  cantFail(totals.events({0, one, {}}));
  cantFail(totals.events({1, other, {}}));
  cantFail(totals.events({0, rest, {}}));
  cantFail(totals.finish());
  EXPECT_EQ(totals.calls()[3].sum, 1007u);
  EXPECT_EQ(totals.calls()[3].deepestRecursion, 1u);
  EXPECT_EQ(totals.sums()[3].time.total, 1007u);
}

TEST(FunctionTotals, SumsStopAtTheLargestNumber) {
  FunctionTable functions;
  declare(functions, 1);
  FunctionTotals totals(functions, distributed);
  for (StreamIndex stream : {0, 1}) {
    const Event events[] = {{0, 0, begin}, {UINT64_MAX, 0, end}};
    cantFail(totals.events({stream, events, {}}));
  }
  cantFail(totals.finish());
  EXPECT_EQ(totals.sums()[0].time.self, UINT64_MAX);
  EXPECT_EQ(totals.sums()[0].time.total, UINT64_MAX);
}

/// What a call tree without limits comes to, by function.
struct TreeSums {
  struct Sums {
    FunctionWeight time, calls, fuel;
  };

  TreeSums(const CallTree &tree, size_t functions) : of(functions) {
    for (NodeIndex node = 1; node < tree.size(); ++node) {
      auto addTo = [&](uint64_t FunctionWeight::*part, FunctionIndex function) {
        of[function].time.*part += tree[node].selfTime;
        of[function].calls.*part += tree[node].calls;
        of[function].fuel.*part += tree.selfCount(node, 0);
      };
      addTo(&FunctionWeight::self, tree[node].function);
      std::set<FunctionIndex> around;
      for (NodeIndex at = node; at != CallTree::root; at = tree[at].parent)
        if (around.insert(tree[at].function).second)
          addTo(&FunctionWeight::total, tree[at].function);
    }
  }

  std::vector<Sums> of;
};

/// Calls and losses at random on some streams, the first of which has no fuel, and the last none at
/// first.
class RandomEvents {
public:
  RandomEvents(unsigned seed, unsigned functions) : random_(seed), functions_(functions) {}

  void send(ArrayRef<EventSink *> sinks) {
    for (unsigned i = 0; i < 60; ++i)
      sendBatch(sinks, below(3), i > 20);
  }

private:
  struct Stream {
    std::vector<FunctionIndex> open;
    uint64_t time = 0;
    uint64_t fuel = 5;
  };
  unsigned below(unsigned limit) { return random_() % limit; }

  void sendBatch(ArrayRef<EventSink *> sinks, StreamIndex index, bool isLate) {
    Stream &stream = streams_[index];
    bool hasFuel = index == 1 || (index == 2 && isLate);
    std::vector<Event> events;
    std::vector<LostRange> lost;
    std::vector<uint64_t> fuel;
    for (unsigned count = below(12); count > 0; --count) {
      uint64_t from = stream.time += below(10), fuelFrom = stream.fuel += below(10);
      if (below(6) == 0) {
        stream.time += below(10);
        stream.fuel += below(10);
        lost.push_back({uint32_t(events.size()),
                        from,
                        stream.time,
                        1,
                        noFunction,
                        {hasFuel ? fuelFrom : 0},
                        {hasFuel ? stream.fuel : 0}});
        continue;
      }
      if (!stream.open.empty() && below(2) == 0) {
        events.push_back({stream.time, stream.open.back(), end});
        stream.open.pop_back();
      } else {
        stream.open.push_back(below(functions_));
        events.push_back({stream.time, stream.open.back(), begin});
      }
      if (hasFuel)
        fuel.push_back(stream.fuel);
    }
    for (EventSink *sink : sinks)
      cantFail(sink->events({index, events, lost, ArrayRef(fuel)}));
  }

  std::mt19937 random_;
  unsigned functions_;
  Stream streams_[3];
};

TEST(FunctionTotals, AreTheSumsOfACallTree) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    FunctionTable functions;
    declare(functions, 4);
    CallTreeBuilder builder(functions, {});
    FunctionTotals totals(functions, FunctionTotals::Calls::summed);
    RandomEvents(seed, 4).send({&builder, &totals});
    // Calls that are open stay so, as where a window ends.
    cantFail(builder.finish());
    cantFail(totals.finish());
    TreeSums expected(builder.tree(), functions.size());
    ASSERT_LE(totals.sums().size(), functions.size());
    for (FunctionIndex function = 0; function < functions.size(); ++function) {
      FunctionSums sums =
          function < totals.sums().size() ? totals.sums()[function] : FunctionSums();
      const TreeSums::Sums &tree = expected.of[function];
      EXPECT_EQ(sums.time.self, tree.time.self);
      EXPECT_EQ(sums.time.total, tree.time.total);
      EXPECT_EQ(sums.calls.self, tree.calls.self);
      EXPECT_EQ(sums.calls.total, tree.calls.total);
      EXPECT_EQ(totals.countOf(function, 0).self, tree.fuel.self);
      EXPECT_EQ(totals.countOf(function, 0).total, tree.fuel.total);
    }
  }
}

} // namespace
