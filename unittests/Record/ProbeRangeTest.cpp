//===- ProbeRangeTest.cpp - What a trace point took -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeRange.h"
#include "warpo/Support/SectionId.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

/// Calls of a function that call nothing, and how long each lasts.
struct Calls {
  int32_t id;
  size_t count;
  uint64_t took;
  /// Every so many lasts so long instead.
  size_t every = 0;
  uint64_t instead = 0;
};

LeafCalls leafCalls(ArrayRef<Calls> all) {
  std::vector<uint64_t> times;
  std::vector<int32_t> ids;
  uint64_t now = 0;
  for (const Calls &calls : all)
    for (size_t i = 0; i < calls.count; ++i) {
      ids.push_back(calls.id);
      times.push_back(now);
      now += calls.every > 0 && i % calls.every == 1 ? calls.instead : calls.took;
      ids.push_back(-calls.id);
      times.push_back(now);
      now += 1000;
    }
  LeafCalls result;
  result.add({0, times, ids, {}}, TimeScale());
  return result;
}

TEST(ProbeRange, Table) {
  struct {
    const char *name;
    ProbeCost stated;
    std::vector<Calls> calls;
    double least, likely, most;
    ProbeCost cost;
  } cases[] = {
      {"unknown", {0, 0}, {{1, 2000, 30}}, 0, 0, 0, {0, 0}},
      {"no calls", {10240, 30720}, {}, 20, 20, 40, {10240, 30720}},
      {"too few calls", {20480, 20480}, {{1, 500, 30}}, 20, 20, 40, {20480, 20480}},
      {"longer than in the quiet loop",
       {20480, 20480},
       {{1, 2000, 30}},
       20,
       29,
       37.5,
       {29696, 29696}},
      {"shorter", {10240, 30720}, {{1, 2000, 15}}, 14, 14, 20, {7168, 21504}},
      {"much shorter", {10240, 30720}, {{1, 2000, 5}}, 10, 10, 20, {5120, 15360}},
      {"much longer", {20480, 20480}, {{1, 2000, 36}}, 20, 35, 40, {35840, 35840}},
      {"all calls work", {20480, 20480}, {{1, 2000, 41}}, 20, 20, 40, {20480, 20480}},
      {"the shortest of several",
       {20480, 20480},
       {{1, 2000, 90}, {2, 2000, 24}, {3, 2000, 30}},
       20,
       23,
       30,
       {23552, 23552}},
      {"a few short ones are chance",
       {20480, 20480},
       {{1, 100, 4}, {2, 20000, 30}},
       20,
       28.871,
       37.338,
       {29564, 29564}},
      {"a few did something else",
       {20480, 20480},
       {{1, 2000, 25, 100, 999999}},
       20,
       24,
       31.25,
       {24576, 24576}},
      {"the thread lost its processor",
       {20480, 20480},
       {{1, 40000, 25, 30000, 1000000}},
       20,
       72.0025,
       93.753,
       {73731, 73731}},
      {"hardly longer, by what the calls work",
       {20480, 20480},
       {{1, 2000, 21, 2, 20}},
       19.5,
       19.5,
       25.625,
       {19968, 19968}},
      {"the clock stands still",
       {20480, 20480},
       {{1, 2000, 0, 10, 600}},
       10,
       32,
       40,
       {32768, 32768}},
      {"the clock stands still for long",
       {20480, 20480},
       {{1, 20001, 0, 100, 600}},
       3,
       6,
       20,
       {6144, 6144}},
      {"the thread of a clock that stands still",
       {20480, 20480},
       {{1, 2001, 0, 100, 2000000}, {2, 2000, 0, 100, 1000}},
       2.5,
       5,
       20,
       {5120, 5120}},
      {"the first call is compiled",
       {20480, 20480},
       {{1, 2, 90000}, {1, 2000, 30}},
       20,
       29,
       37.5,
       {29696, 29696}},
      {"sections are none",
       {20480, 20480},
       {{firstSectionId, 2000, 30}},
       20,
       20,
       40,
       {20480, 20480}},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    ProbeRange range = ProbeRange::of(test.stated, leafCalls(test.calls));
    EXPECT_NEAR(range.least, test.least, 0.05);
    EXPECT_NEAR(range.likely, test.likely, 0.05);
    EXPECT_NEAR(range.most, test.most, 0.05);
    EXPECT_NEAR(double(range.cost.begin), double(test.cost.begin), 50);
    EXPECT_NEAR(double(range.cost.end), double(test.cost.end), 50);
  }
}

// Of a long record a part is enough, and nothing overflows.
TEST(LeafCalls, LongRecords) {
  LeafCalls calls;
  std::vector<uint64_t> times;
  std::vector<int32_t> ids;
  for (uint64_t i = 0; i < 100000; ++i) {
    times.insert(times.end(), {i * 100, i * 100 + 30});
    ids.insert(ids.end(), {1, -1});
  }
  for (int i = 0; i < 100; ++i)
    calls.add({0, times, ids, {}}, std::nullopt);
  EXPECT_NEAR(calls.shortest()->mean, 30, 0.01);
}

} // namespace
