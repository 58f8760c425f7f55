//===- CallStatisticsTest.cpp - Single calls, counted ---------------------===//

#include "warpo/Report/CallStatistics.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

constexpr EventKind begin = EventKind::begin, end = EventKind::endReturned;

TEST(CallStatistics, countsEachCallWithWhatItCalls) {
  CallStatistics statistics;
  // main calls f, which calls itself; then f once more.
  const Event events[] = {{0, 0, begin}, {10, 1, begin}, {20, 1, begin}, {50, 1, end},
                          {60, 1, end},  {70, 1, begin}, {75, 1, end},   {100, 0, end}};
  cantFail(statistics.events({0, events, {}}));
  cantFail(statistics.finish());
  const FunctionCalls &f = statistics.functions()[1];
  EXPECT_EQ(f.durations.count(), 3u);
  EXPECT_EQ(f.sum, 85u);
  EXPECT_EQ(f.longest, 50u);
  EXPECT_EQ(f.durations.quantile(0.5), 30u);
  EXPECT_EQ(f.deepestRecursion, 2u);
  EXPECT_EQ(statistics.functions()[0].longest, 100u);
  EXPECT_EQ(statistics.functions()[0].deepestRecursion, 1u);
}

TEST(CallStatistics, aCallOpenAtTheEndHasNoDuration) {
  CallStatistics statistics;
  const Event events[] = {
      {0, 0, begin}, {5, 1, begin}, {9, 1, EventKind::endUnwound}, {9, 0, EventKind::endOpen}};
  cantFail(statistics.events({0, events, {}}));
  cantFail(statistics.finish());
  EXPECT_EQ(statistics.functions()[0].durations.count(), 0u);
  EXPECT_EQ(statistics.functions()[0].deepestRecursion, 1u);
  EXPECT_EQ(statistics.functions()[1].sum, 4u);
}

TEST(CallStatistics, streamsDoNotMix) {
  CallStatistics statistics;
  const Event one[] = {{0, 3, begin}}, other[] = {{100, 3, begin}, {107, 3, end}},
              rest[] = {{1000, 3, end}};
  cantFail(statistics.events({0, one, {}}));
  cantFail(statistics.events({1, other, {}}));
  cantFail(statistics.events({0, rest, {}}));
  cantFail(statistics.finish());
  EXPECT_EQ(statistics.functions()[3].sum, 1007u);
  EXPECT_EQ(statistics.functions()[3].deepestRecursion, 1u);
}

} // namespace
