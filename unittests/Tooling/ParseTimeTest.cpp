//===- ParseTimeTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/ReadingTool.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

TEST(ParseTime, ReadsUnitsAndCounts) {
  const std::optional<TimeScale> none;
  const struct {
    const char *text;
    std::optional<TimeScale> scale;
    uint64_t expected;
  } cases[] = {
      {"0", none, 0},
      {"12345", none, 12345},
      {"18446744073709551615", none, UINT64_MAX},
      {"40ns", TimeScale(1, 1), 40},
      {"300us", TimeScale(1, 1), 300000},
      {"20ms", TimeScale(1, 1), 20000000},
      {"1.5s", TimeScale(1, 1), 1500000000},
      {"0.25us", TimeScale(1, 1), 250},
      // Half a nanosecond a count: twice as many counts.
      {"40ns", TimeScale(1, 2), 80},
      // Two nanoseconds a count: the first count that is not before.
      {"5ns", TimeScale(2, 1), 3},
      // Without a unit, counts, whatever a count is.
      {"7", TimeScale(2, 1), 7},
  };
  for (const auto &test : cases) {
    Expected<uint64_t> counts = parseTime(test.text, test.scale, "from");
    ASSERT_TRUE(bool(counts)) << test.text << ": " << toString(counts.takeError());
    EXPECT_EQ(*counts, test.expected) << test.text;
  }
}

TEST(ParseTime, RefusesWhatIsNoTime) {
  const std::string malformed =
      ": not a time (as in 1.5s, 20ms, 300us, 40ns, or counts without a unit)";
  for (const char *text : {"", "s", "-1", "-1s", "1.5", "1h", "1 s", "nans", "infs", "1e30s",
                           "18446744073709551616", "0x10"}) {
    Expected<uint64_t> counts = parseTime(text, TimeScale(1, 1), "to");
    ASSERT_FALSE(bool(counts)) << text << " is " << *counts;
    EXPECT_EQ(toString(counts.takeError()), "--to=" + std::string(text) + malformed);
  }
  Expected<uint64_t> counts = parseTime("1ms", std::nullopt, "from");
  ASSERT_FALSE(bool(counts));
  EXPECT_EQ(toString(counts.takeError()),
            "--from=1ms: the record does not say how long a count is; "
            "give --rate, or counts without a unit");
}
