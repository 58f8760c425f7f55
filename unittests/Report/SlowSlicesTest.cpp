//===- SlowSlicesTest.cpp - Which slices are kept, and their paths --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/SlowSlices.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

const FunctionTable functions;
constexpr EventKind begin = EventKind::begin, end = EventKind::endReturned;

TEST(SlowSlices, keepsTheLongest) {
  SlowSlices slices(2, functions, SlowSlices::Suspensions::counted);
  std::vector<Event> events;
  uint64_t time = 7;
  for (uint64_t duration : {5, 30, 10, 30, 1}) {
    events.push_back({time, 0, begin});
    events.push_back({time + duration, 0, end});
    time += 100;
  }
  cantFail(slices.events({0, events, {}}));
  std::vector<SlowSlice> kept = slices.take();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].number, 2u);
  EXPECT_EQ(kept[0].begin, 107u);
  EXPECT_EQ(kept[0].duration(), 30u);
  EXPECT_EQ(kept[1].number, 4u);
}

TEST(SlowSlices, theHottestPathEndsWhereTheTimeIsSpent) {
  SlowSlices slices(1, functions, SlowSlices::Suspensions::counted);
  // 0 calls 1 (10 in all) and 2 (60 in all, 50 of them in 3, called twice; 3 calls 4 for 4).
  const Event events[] = {{0, 0, begin},  {5, 1, begin}, {15, 1, end},   {20, 2, begin},
                          {25, 3, begin}, {50, 3, end},  {55, 3, begin}, {60, 4, begin},
                          {64, 4, end},   {80, 3, end},  {80, 2, end},   {90, 0, end}};
  cantFail(slices.events({0, events, {}}));
  std::vector<SlowSlice> kept = slices.take();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].calls, 6u);
  EXPECT_EQ(kept[0].hottestPath, (std::vector<FunctionIndex>{0, 2, 3}));
}

TEST(SlowSlices, nothingWantedIsNothingKept) {
  SlowSlices slices(0, functions, SlowSlices::Suspensions::counted);
  const Event events[] = {{0, 0, begin}, {9, 0, end}};
  cantFail(slices.events({0, events, {}}));
  EXPECT_TRUE(slices.take().empty());
}

} // namespace
