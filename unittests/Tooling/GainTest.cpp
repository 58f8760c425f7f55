//===- GainTest.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "rewriting/Gain.h"
#include "gtest/gtest.h"

using namespace warpo;

// Of so many values, in any order: which ones the interval is between, counted from 1. The table is
// that of the sign test.
TEST(GainTest, IntervalIsThatOfTheSignTest) {
  struct Case {
    int values, first, last;
  };
  for (auto [values, first, last] : {Case{6, 1, 6},
                                     {8, 1, 8},
                                     {9, 2, 8},
                                     {10, 2, 9},
                                     {12, 3, 10},
                                     {15, 4, 12},
                                     {20, 6, 15},
                                     {100, 40, 61}}) {
    SCOPED_TRACE(values);
    std::vector<double> rounds;
    for (int i = 0; i != values; ++i)
      rounds.push_back((i * 7919) % values + 1);
    Gain gain = gainOf(rounds);
    EXPECT_EQ(gain.least, first);
    EXPECT_EQ(gain.most, last);
    EXPECT_EQ(gain.median, (values + 1) / 2.0);
  }
}

TEST(GainTest, AnOutlierMovesNothing) {
  Gain gain = gainOf({0.03, 0.02, 0.04, 0.03, -9, 0.02, 0.05, 0.03, 0.04, 0.9});
  EXPECT_EQ(gain.least, 0.02);
  EXPECT_EQ(gain.most, 0.05);
}
