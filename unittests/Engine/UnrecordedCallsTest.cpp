//===- UnrecordedCallsTest.cpp --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "UnrecordedCalls.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

static constexpr OpenCall run{16, 1}, step{16, 2}, leaf{16, 3}, other{17, 2};

static size_t count(std::vector<OpenCall> stack, std::vector<OpenCall> recorded) {
  return countRecorded(stack, recorded);
}

TEST(UnrecordedCalls, RecordedOnesAreTheOutermost) {
  EXPECT_EQ(count({}, {}), 0u);
  EXPECT_EQ(count({run, step}, {}), 0u);
  EXPECT_EQ(count({run, step, leaf}, {run, step}), 2u);
  EXPECT_EQ(count({run, step, step}, {run, step}), 2u);
  EXPECT_EQ(count({run, other}, {run, step}), 1u);
  EXPECT_EQ(count({run}, {run, step, leaf}), 1u);
}

// What a trap or an exception has left open is no call of the same function that began later.
TEST(UnrecordedCalls, CallsThatWereLeftOpenAreSkipped) {
  EXPECT_EQ(count({run, leaf, step}, {run, step}), 1u);
  EXPECT_EQ(count({run, leaf}, {run, step, leaf}), 2u);
  EXPECT_EQ(count({run, step}, {step, run}), 1u);
  EXPECT_EQ(count({run, step}, {leaf}), 0u);
}

TEST(UnrecordedCalls, AStackThatWasCutBeginsLater) {
  EXPECT_EQ(count({step, leaf}, {run, step}), 1u);
  EXPECT_EQ(count({leaf, step, leaf}, {run, step}), 2u);
  EXPECT_EQ(count({step}, {run, other, step, leaf}), 1u);
}
