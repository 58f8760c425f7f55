//===- SampledTimeTest.cpp - Calls of a trace, time of samples ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/SampledTime.h"
#include "ProfileText.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

struct Row {
  std::vector<StringRef> path;
  uint64_t time;
  uint64_t count;
};

Profile profileOf(ArrayRef<Row> rows, StringRef counted) {
  ProfileInputs inputs;
  for (const Row &row : rows)
    inputs.add(row.path, row.time, row.count);
  Profile profile = inputs.profile();
  profile.title = counted.str();
  profile.weights[1] = {counted.str(), counted.str(), profile.weights[1].self};
  return profile;
}

TEST(SampledTime, Contexts) {
  const std::vector<Row> traced = {
      {{"main"}, 1000, 1}, {{"main", "f"}, 50, 2}, {{"main", "f", "g"}, 900, 300}};
  struct {
    const char *name;
    std::vector<Row> sampled;
    const char *expected;
    uint64_t elsewhere;
  } cases[] = {
      {"the same contexts",
       {{{"main"}, 20, 2}, {{"main", "f", "g"}, 10, 1}},
       "main:20/1/2(f:0/2/0(g:10/300/1))",
       0},
      {"a function that was left out counts for its caller",
       {{{"main", "f", "small"}, 10, 1}, {{"main", "small", "f"}, 20, 2}},
       "main:0/1/0(f:30/2/3(g:0/300/0))",
       10},
      {"a context that the trace does not have, as f was inlined",
       {{{"main", "g"}, 10, 1}},
       "main:0/1/0(f:0/2/0(g:0/300/0) g:10/0/1)",
       0},
      {"the host's own time is in no function",
       {{{"host"}, 70, 7}, {{"host", "main"}, 10, 1}, {{"(program)"}, 5, 1}},
       "main:10/1/1(f:0/2/0(g:0/300/0))",
       75},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    auto timed = withSampledTime(profileOf(traced, "calls"), profileOf(test.sampled, "samples"));
    ASSERT_TRUE(bool(timed)) << toString(timed.takeError());
    EXPECT_EQ(text(timed->profile), test.expected);
    EXPECT_EQ(timed->timeElsewhere, test.elsewhere);
    EXPECT_EQ(timed->profile.weights.back().name, timeSamplesWeight);
  }
}

TEST(SampledTime, KnowsFunctionsByTheirModules) {
  Profile traced = profileOf({{{"f"}, 1, 1}}, "calls");
  Profile sampled = profileOf({{{"f"}, 10, 1}}, "samples");
  traced.modules = sampled.modules = {{1, "a"}, {2, "b"}};
  sampled.functions[0].module = 1;
  EXPECT_EQ(toString(withSampledTime(traced, sampled).takeError()),
            "no function of samples is in calls: they are not of the same program");
  traced.functions[0].module = 1;
  EXPECT_EQ(text(withSampledTime(traced, sampled)->profile), "f:10/1/1");
}

TEST(SampledTime, KnowsFunctionsOfOneNameByTheirIds) {
  Profile traced =
      profileOf({{{"main"}, 1, 1}, {{"main", "f"}, 1, 1}, {{"main", "other f"}, 1, 7}}, "calls");
  Profile sampled = profileOf({{{"main"}, 10, 1}, {{"main", "other f"}, 20, 2}}, "samples");
  traced.functions[1].id = 5;
  traced.functions[2].id = 6;
  sampled.functions[1].id = 6;
  traced.functions[2].name = sampled.functions[1].name = "f";
  EXPECT_EQ(text(withSampledTime(traced, sampled)->profile), "main:10/1/1(f:0/1/0 f:20/7/2)");
}

TEST(SampledTime, KeepsFunctionsOfTheHostThatWereCalled) {
  Profile traced = profileOf({{{"main"}, 1, 1}, {{"main", "f"}, 1, 3}}, "calls");
  Profile sampled = profileOf({{{"app.js"}, 5, 1},
                               {{"app.js", "main"}, 10, 1},
                               {{"app.js", "main", "log"}, 20, 2},
                               {{"app.js", "main", "log", "write"}, 30, 3},
                               {{"app.js", "main", "log", "f"}, 40, 4},
                               {{"app.js", "main", "left out"}, 50, 5}},
                              "samples");
  for (ProfileFunction &function : sampled.functions)
    if (function.name == "main" || function.name == "f" || function.name == "left out")
      function.id = 1;
  auto timed = withSampledTime(traced, sampled);
  EXPECT_EQ(text(timed->profile), "main:60/1/6(f:40/3/4 log:20/0/2(write:30/0/3))");
  EXPECT_EQ(timed->timeElsewhere, 55U);
}

TEST(SampledTime, NeedsSamples) {
  Profile traced = profileOf({{{"f"}, 1, 1}}, "calls");
  EXPECT_EQ(toString(withSampledTime(traced, traced).takeError()),
            "calls has no samples with time");
}

TEST(SampledTime, ErrorOfShares) {
  EXPECT_EQ(sampledShareError(0, 0), 0);
  EXPECT_EQ(sampledShareError(0, 100), 0);
  EXPECT_EQ(sampledShareError(100, 100), 0);
  EXPECT_DOUBLE_EQ(sampledShareError(50, 100), 0.05);
  EXPECT_DOUBLE_EQ(sampledShareError(20, 100), 0.04);
}

} // namespace
