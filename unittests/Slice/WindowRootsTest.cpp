//===- WindowRootsTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/WindowRoots.h"
#include "warpo/Record/RecordFormat.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace warpo;

namespace {

TEST(UtcWindows, HoldEachCountInOne) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    RecordHeader header;
    header.wallClock = 1'700'000'000'000'000'000 + random() % 1'000'000'000;
    header.origin = random() % 1'000'000;
    TimeScale scale(1 + random() % 50, 1 + random() % 50);
    uint64_t length = 1 + random() % 5000;
    UtcWindows windows(header, scale, length);
    for (int i = 0; i < 20; ++i) {
      uint64_t count = random() % 3'000'000;
      UtcWindows::Window window = windows.at(count);
      uint64_t time = windows.utc(count);
      EXPECT_EQ(window.begin % length, 0u);
      EXPECT_LE(window.begin, time);
      EXPECT_LT(time - window.begin, length);
      EXPECT_LE(window.start, count);
      EXPECT_GT(window.end, count);
      // Its neighbours are others.
      EXPECT_EQ(windows.at(window.start).begin, window.begin);
      EXPECT_EQ(windows.at(window.end - 1).begin, window.begin);
      EXPECT_GT(windows.at(window.end).begin, window.begin);
      if (window.start > 0) {
        EXPECT_LT(windows.at(window.start - 1).begin, window.begin);
      }
    }
  }
}

TEST(UtcWindows, EndWithTime) {
  RecordHeader header;
  header.wallClock = UINT64_MAX - 5;
  UtcWindows windows(header, TimeScale(), 1000);
  EXPECT_EQ(windows.at(100).end, UINT64_MAX);
  EXPECT_EQ(windows.utc(100), UINT64_MAX);
}

// A record says at will when it was: its clock may have begun decades before 1970.
TEST(UtcWindows, BeginWithTime) {
  RecordHeader header;
  header.wallClock = 1500;
  header.origin = 1'000'000;
  UtcWindows windows(header, TimeScale(), 1000);
  for (uint64_t count : {0, 998'499, 998'500, 999'499}) {
    UtcWindows::Window window = windows.at(count);
    EXPECT_EQ(window.begin, 0u);
    EXPECT_EQ(window.start, 0u);
    EXPECT_EQ(window.end, 999'500u);
  }
  EXPECT_EQ(windows.at(999'500).start, 999'500u);
}

} // namespace
