//===- SampledTimeTest.cpp - Calls of a trace, time of samples ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/SampledTime.h"
#include "ProfileText.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/SectionId.h"
#include <cmath>
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

/// Without hashes.
Expected<SampledTime> timeOf(const Profile &traced, const Profile &sampled) {
  return withSampledTime({traced, {}}, {sampled, {}});
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
      {"a context that the trace does not have, as f was inlined there",
       {{{"main", "g"}, 10, 1}, {{"main", "f"}, 20, 2}},
       "main:0/1/0(f:20/2/2(g:0/300/0) g:10/0/1)",
       0},
      {"the same of a function that no sample has seen",
       {{{"main", "g"}, 10, 1}},
       "main:0/1/0(f:0/2/0(g:10/300/1))",
       0},
      {"the host's own time is in no function",
       {{{"host"}, 70, 7}, {{"host", "main"}, 10, 1}, {{"(program)"}, 5, 1}},
       "main:10/1/1(f:0/2/0(g:0/300/0))",
       75},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    auto timed = timeOf(profileOf(traced, "calls"), profileOf(test.sampled, "samples"));
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
  EXPECT_EQ(toString(timeOf(traced, sampled).takeError()),
            "no function of samples is in calls: they are not of the same program");
  traced.functions[0].module = 1;
  EXPECT_EQ(text(timeOf(traced, sampled)->profile), "f:10/1/1");
}

TEST(SampledTime, KnowsFunctionsOfOneNameByTheirIds) {
  Profile traced =
      profileOf({{{"main"}, 1, 1}, {{"main", "f"}, 1, 1}, {{"main", "other f"}, 1, 7}}, "calls");
  Profile sampled = profileOf({{{"main"}, 10, 1}, {{"main", "other f"}, 20, 2}}, "samples");
  traced.functions[1].id = 5;
  traced.functions[2].id = 6;
  sampled.functions[1].id = 6;
  traced.functions[2].name = sampled.functions[1].name = "f";
  EXPECT_EQ(text(timeOf(traced, sampled)->profile), "main:10/1/1(f:0/1/0 f:20/7/2)");
}

// Ids of a trace that leaves functions out are lower than those of samples. Then a function without
// a name is not the one that has its id in the trace.
TEST(SampledTime, KnowsFunctionsByNameWhereATraceLeavesOthersOut) {
  struct {
    StringRef traced;
    std::vector<Row> sampled;
    const char *expected;
  } cases[] = {
      {"f",
       {{{"main"}, 10, 1}, {{"main", "left out"}, 20, 2}, {{"main", "f"}, 30, 3}},
       "main:30/1/3(f:30/2/3)"},
      {"f",
       {{{"main"}, 10, 1}, {{"main", "func[1]"}, 20, 2}, {{"main", "f"}, 30, 3}},
       "main:30/1/3(f:30/2/3)"},
      {"func[2]", {{{"main"}, 10, 1}, {{"main", "func[1]"}, 20, 2}}, "main:30/1/3(func[2]:0/2/0)"},
      // None is left out; the trace has the name of an export.
      {"exported",
       {{{"main"}, 10, 1}, {{"main", "func[1]"}, 20, 2}},
       "main:10/1/1(exported:20/2/2)"},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.expected);
    Profile traced = profileOf({{{"main"}, 1, 1}, {{"main", test.traced}, 1, 2}}, "calls");
    Profile sampled = profileOf(test.sampled, "samples");
    traced.modules = {{7, "app"}};
    sampled.modules = {{7, "app"}};
    for (Profile *profile : {&traced, &sampled})
      for (const auto &[number, function] : enumerate(profile->functions))
        function.id = firstFunctionId + int32_t(number);
    const ModuleHashes hashes = {{7, std::string(32, 'a')}};
    auto timed = withSampledTime({traced, hashes}, {sampled, hashes});
    ASSERT_TRUE(bool(timed)) << toString(timed.takeError());
    EXPECT_EQ(text(timed->profile), test.expected);
  }
}

// Of two modules with functions of the same names, the modules' names and ids are others on the
// other side.
TEST(SampledTime, KnowsModulesByTheirHashes) {
  Profile traced = profileOf(
      {{{"main"}, 1, 1}, {{"main", "f"}, 1, 2}, {{"main", "other f"}, 1, 3}, {{"main", "s"}, 1, 4}},
      "calls");
  Profile sampled = profileOf({{{"main"}, 10, 1},
                               {{"main", "f"}, 20, 2},
                               {{"main", "other f"}, 30, 3},
                               {{"main", "third f"}, 40, 4},
                               {{"main", "s"}, 50, 5}},
                              "samples");
  const int32_t first = firstFunctionId;
  auto set = [](ProfileFunction &function, StringRef name, uint32_t module, int32_t id) {
    function.name = name.str();
    function.module = module;
    function.id = id;
  };
  traced.modules = {{7, "app traced"}, {8, "library traced"}};
  sampled.modules = {{1, "library"}, {2, "app"}, {3, "not traced"}};
  set(traced.functions[0], "main", 0, first + 1);
  set(traced.functions[1], "f", 0, first);
  set(traced.functions[2], "f", 1, first);
  set(traced.functions[3], "s", 1, firstSectionId + 5);
  set(sampled.functions[0], "func[1]", 1, first + 1);
  set(sampled.functions[1], "f", 1, first);
  set(sampled.functions[2], "f", 0, first);
  set(sampled.functions[3], "f", 2, first);
  set(sampled.functions[4], "s", 0, firstSectionId);
  const std::string app(32, 'a'), library(32, 'b'), third(32, 'c');
  const ModuleHashes ours = {{7, app}, {8, library}};
  auto timed = withSampledTime({traced, ours}, {sampled, {{1, library}, {2, app}, {3, third}}});
  ASSERT_TRUE(bool(timed)) << toString(timed.takeError());
  EXPECT_EQ(text(timed->profile), "main:50/1/5(f:20/2/2 f:30/3/3 s:50/4/5)");
  EXPECT_EQ(timed->timeElsewhere, 40U);

  // A saved profile of such samples, in which the ids are known alone.
  sampled.modules[0].id = 0x6262626262626262;
  sampled.modules[1].id = 0x6161616161616161;
  sampled.modules[2].id = 0x6363636363636363;
  timed = withSampledTime({traced, ours}, {sampled, {}});
  ASSERT_TRUE(bool(timed)) << toString(timed.takeError());
  EXPECT_EQ(text(timed->profile), "main:50/1/5(f:20/2/2 f:30/3/3 s:50/4/5)");
}

TEST(SampledTime, RefusesOtherBuilds) {
  Profile traced = profileOf({{{"f"}, 1, 1}}, "calls");
  Profile sampled = profileOf({{{"f"}, 10, 1}}, "samples");
  traced.modules = {{7, "app"}};
  sampled.modules = {{7, "app"}};
  const std::string one(2, '\x1a'), two(2, '\x2b');
  EXPECT_EQ(
      toString(withSampledTime({traced, {{7, one}}}, {sampled, {{7, two}}}).takeError()),
      "samples (module app, hash 2b2b) is of another build than calls (module app, hash 1a1a)");
  sampled.modules[0].name = "other";
  EXPECT_EQ(
      toString(withSampledTime({traced, {{7, one}}}, {sampled, {{7, two}}}).takeError()),
      "samples (module other, hash 2b2b) is of another program than calls (module app, hash 1a1a)");
  // What is not known is not refused.
  for (const ModuleHashes &hashes : {ModuleHashes(), ModuleHashes{{7, ""}}})
    EXPECT_EQ(text(cantFail(withSampledTime({traced, {{7, one}}}, {sampled, hashes})).profile),
              "f:10/1/1");
  // One of several is another build; modules without functions do not matter.
  sampled = profileOf({{{"f"}, 10, 1}, {{"f", "g"}, 10, 1}}, "samples");
  traced.modules = sampled.modules = {{7, "app"}, {8, "library"}};
  sampled.functions[0].id = traced.functions[0].id = firstFunctionId;
  sampled.functions[1].id = firstFunctionId + 1;
  const ModuleHashes ours = {{7, one}, {8, one}}, theirs = {{7, one}, {8, two}};
  EXPECT_EQ(text(cantFail(withSampledTime({traced, ours}, {sampled, theirs})).profile), "f:20/1/2");
  traced = sampled;
  traced.title = "calls";
  traced.functions[1].module = sampled.functions[1].module = 1;
  EXPECT_EQ(
      toString(withSampledTime({traced, ours}, {sampled, theirs}).takeError()),
      "samples (module library, hash 2b2b) is of another build than calls (module library, hash "
      "1a1a)");
  sampled.modules[1].name = "plugin";
  EXPECT_EQ(
      cantFail(withSampledTime({traced, ours}, {sampled, theirs})).otherModules,
      "samples (module plugin, hash 2b2b) is not in calls, and calls (module library, hash 1a1a) "
      "is not in samples");
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
  auto timed = timeOf(traced, sampled);
  EXPECT_EQ(text(timed->profile), "main:60/1/6(f:40/3/4 log:20/0/2(write:30/0/3))");
  EXPECT_EQ(timed->timeElsewhere, 55U);
}

TEST(SampledTime, NeedsSamples) {
  Profile traced = profileOf({{{"f"}, 1, 1}}, "calls");
  EXPECT_EQ(toString(timeOf(traced, traced).takeError()), "calls has no samples with time");
}

TEST(SampledTime, ErrorsOfShares) {
  struct {
    const char *name;
    std::vector<Row> sampled;
    std::vector<double> errors;
  } cases[] = {
      {"no samples", {{{"f"}, 0, 0}, {{"g"}, 0, 0}}, {0, 0}},
      {"all samples are in one function", {{{"f"}, 1000, 100}}, {0}},
      {"binomial if samples are equally long",
       {{{"f"}, 200, 20}, {{"g"}, 500, 50}, {{"h"}, 300, 30}},
       {0.04, 0.05, std::sqrt(0.3 * 0.7 / 100)}},
      {"also if a function has several contexts",
       {{{"f"}, 200, 20}, {{"g"}, 500, 50}, {{"g", "f"}, 300, 30}},
       {0.05, 0.05}},
      {"half of the time in one sample", {{{"f"}, 500, 50}, {{"g"}, 500, 1}}, {0.252488, 0.252488}},
      {"long samples blur all shares",
       {{{"f"}, 10, 10}, {{"g"}, 90, 90}, {{"h"}, 900, 1}},
       {0.009529, 0.081459, 0.090449}},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    std::vector<double> errors = sampledShareErrors(profileOf(test.sampled, "samples"), 0, 1);
    ASSERT_EQ(errors.size(), test.errors.size());
    for (size_t i = 0; i < errors.size(); ++i)
      EXPECT_NEAR(errors[i], test.errors[i], 1e-6);
  }
}

} // namespace
