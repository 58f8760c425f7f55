// SPDX-License-Identifier: Apache-2.0
#include "warpo/Output/Quantities.h"
#include "warpo/Output/ProfileBackend.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

TEST(Quantities, TimesHaveFourDigitsAndTheUnitThatSuits) {
  const std::pair<uint64_t, StringRef> cases[] = {
      {0, "0 ns"},
      {999, "999 ns"},
      {1000, "1.000 us"},
      {1005, "1.005 us"},
      {12345, "12.34 us"},
      {999999, "999.9 us"},
      {1000000, "1.000 ms"},
      {123456789, "123.4 ms"},
      {59999999999, "59.99 s"},
      {12345678901234, "12,345 s"},
      {UINT64_MAX, "18,446,744,073 s"},
  };
  for (const auto &[nanoseconds, text] : cases)
    EXPECT_EQ(formatTime(nanoseconds), text);
}

TEST(Quantities, RatiosHaveThreeDigits) {
  const std::pair<double, StringRef> cases[] = {
      {0, "0 ns"},          {0.00012345, "0.000123 ns"}, {0.3517, "0.352 ns"},
      {0.9994, "0.999 ns"}, {0.9996, "1.00 ns"},         {9.994, "9.99 ns"},
      {9.996, "10.0 ns"},   {99.94, "99.9 ns"},          {99.96, "100 ns"},
      {999.4, "999 ns"},    {999.6, "1,000 ns"},         {1234567.8, "1,234,568 ns"},
  };
  for (const auto &[ratio, text] : cases)
    EXPECT_EQ(formatRatio(ratio, "ns"), text);
  EXPECT_EQ(formatRatio(2, ""), "2.00");
  EXPECT_EQ(formatRatio(*ratioOf(7, 0), "ns"), "\u221e");
  EXPECT_EQ(ratioOf(0, 0), std::nullopt);
  EXPECT_EQ(ratioOf(0, 4), 0.0);
  EXPECT_EQ(ratioOf(1, 4), 0.25);
  EXPECT_EQ(ratioUnit("ns", "fuel:mine"), "ns per fuel:mine");
  EXPECT_EQ(ratioUnit("ticks", "calls"), "ticks per call");
}

TEST(Quantities, WeightsHaveTheirUnit) {
  EXPECT_EQ(formatWeight(1500, "ns"), "1.500 us");
  EXPECT_EQ(formatWeight(1500, "ticks"), "1,500 ticks");
  EXPECT_EQ(formatWeight(1, "calls"), "1 call");
  EXPECT_EQ(formatWeight(0, "calls"), "0 calls");
  EXPECT_EQ(groupDigits(1234567), "1,234,567");
  EXPECT_EQ(groupDigits(123), "123");
}

TEST(Quantities, SharesAreNotRoundedToNothingOrAll) {
  EXPECT_EQ(formatShare(0, 10), "0 %");
  EXPECT_EQ(formatShare(0, 0), "0 %");
  EXPECT_EQ(formatShare(1, 8), "12.5 %");
  EXPECT_EQ(formatShare(1, 100000), "<0.1 %");
  EXPECT_EQ(formatShare(99999, 100000), "99.9 %");
  EXPECT_EQ(formatShare(10, 10), "100 %");
}
