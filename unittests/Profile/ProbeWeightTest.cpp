// SPDX-License-Identifier: Apache-2.0
#include "warpo/Profile/ProbeWeight.h"
#include "ProfileText.h"
#include "warpo/Profile/ProfileMerger.h"
#include "warpo/Profile/Views.h"
#include <gtest/gtest.h>
#include <map>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

/// main calls f twice, and that g three times in all; something is lost in f.
Profile program() {
  ProfileInputs inputs;
  inputs.add({"main"}, 100, 1);
  inputs.add({"main", "f"}, 50, 2);
  inputs.add({"main", "f", "g"}, 30, 3);
  inputs.add({"main", "f", "[lost]"}, 7, 1);
  Profile profile = inputs.profile();
  for (ProfileFunction &function : profile.functions)
    if (function.name == "[lost]")
      function.kind = FunctionKind::pseudo;
  return profile;
}

std::vector<uint64_t> probes(ProbeCost cost, double share, std::optional<TimeScale> scale) {
  Profile profile = program();
  addProbes(profile, countCallees(profile), {cost, share, scale});
  EXPECT_EQ(profile.weights.back().name, "probe");
  EXPECT_EQ(profile.weights.back().unit, scale ? "ns" : "ticks");
  return profile.weights.back().self;
}

} // namespace

// Begins cost the callee, ends the caller; the host pays nothing.
TEST(ProbeWeight, isOfWhoWasOnTheStackMeanwhile) {
  using Times = std::vector<uint64_t>;
  EXPECT_EQ(probes({1024, 0}, 1, std::nullopt), (Times{0, 1, 2, 3, 0}));
  EXPECT_EQ(probes({0, 1024}, 1, std::nullopt), (Times{0, 2, 3, 0, 0}));
  EXPECT_EQ(probes({10240, 20480}, 1, std::nullopt), (Times{0, 50, 80, 30, 0}));
  EXPECT_EQ(probes({10240, 20480}, 0.5, std::nullopt), (Times{0, 25, 40, 15, 0}));
  EXPECT_EQ(probes({10240, 20480}, 1, TimeScale(1, 2)), (Times{0, 25, 40, 15, 0}));
  EXPECT_EQ(probes({0, 0}, 1, std::nullopt), (Times{0, 0, 0, 0, 0}));
  for (uint64_t time : probes({UINT64_MAX, UINT64_MAX}, 1, TimeScale(UINT64_MAX, 1)))
    EXPECT_LE(time, uint64_t(1.8e19));
}

TEST(ProbeWeight, hottestFunctionByWhatTracePointsMayHaveTaken) {
  Profile profile = program();
  // Of main's 100 counts 50 were subtracted, of f's 50 80, of g's 30 30; the rest is 100, 50
  // and 30.
  addProbes(profile, countCallees(profile), {{10240, 20480}, 1, std::nullopt});
  HottestFunction likely = hottestIf(profile, 1);
  EXPECT_EQ(profile.functions[likely.function].name, "main");
  EXPECT_DOUBLE_EQ(likely.share, 100. / 187);
  HottestFunction cheaper = hottestIf(profile, 0);
  EXPECT_EQ(profile.functions[cheaper.function].name, "main");
  EXPECT_DOUBLE_EQ(cheaper.share, 150. / 347);
  HottestFunction dearer = hottestIf(profile, 2.9);
  EXPECT_EQ(profile.functions[dearer.function].name, "[lost]");
  Profile plain = program();
  EXPECT_EQ(plain.functions[hottestIf(plain, 1).function].name, "main");
  EXPECT_EQ(hottestIf(Profile(), 1).function, noFunction);
}

TEST(ProbeWeight, marksFunctionsOfWhichRecordingIsMost) {
  // Of main 10 + 40 of 100 counts as recorded, of f 20 + 60 of 50, of g 30 of 30.
  for (double subtracted : {0., 1.}) {
    SCOPED_TRACE(subtracted);
    Profile profile = program();
    addProbes(profile, countCallees(profile), {{10240, 20480}, subtracted, std::nullopt});
    std::map<std::string, float> shares;
    for (const ProfileFunction &function : profile.functions) {
      shares[function.name] = function.probeShare;
      EXPECT_EQ(function.isMostlyProbe(), function.probeShare > 0.5F);
    }
    bool isRecorded = subtracted == 0;
    EXPECT_EQ(profile.findWeight("probe").has_value(), !isRecorded);
    EXPECT_FLOAT_EQ(shares["main"], isRecorded ? .5F : 50 / 150.F);
    EXPECT_FLOAT_EQ(shares["f"], isRecorded ? 1.F : 80 / 130.F);
    EXPECT_FLOAT_EQ(shares["g"], isRecorded ? 1.F : 30 / 60.F);
    EXPECT_FLOAT_EQ(shares["[lost]"], 0);
  }
}

// 80 of 100 counts of f and none of 100 of g, in one module: 40 % of it.
TEST(ProbeWeight, groupsHaveTheShareOfTheirFunctions) {
  ProfileInputs inputs;
  inputs.add({"f"}, 100, 8);
  inputs.add({"g"}, 100, 0);
  Profile profile = inputs.profile();
  addProbes(profile, countCallees(profile), {{10240, 0}, 0, std::nullopt});
  Profile grouped = groupFunctions(profile, FunctionGroup::module);
  EXPECT_FLOAT_EQ(grouped.function(1).probeShare, 0.4F);
  EXPECT_TRUE(
      none_of(grouped.functions, [](const ProfileFunction &each) { return each.isMostlyProbe(); }));
}

// Recording took 80 of 100 counts of f in one record, and 40 of 400 in the other.
TEST(ProbeWeight, sumsHaveTheShareOfTheSum) {
  auto recorded = [](uint64_t time, uint64_t calls, double subtracted) {
    ProfileInputs inputs;
    inputs.add({"f"}, time, calls);
    Profile profile = inputs.profile();
    addProbes(profile, countCallees(profile), {{10240, 0}, subtracted, std::nullopt});
    return profile;
  };
  for (double subtracted : {0., 1.}) {
    SCOPED_TRACE(subtracted);
    bool isRecorded = subtracted == 0;
    Profile small = recorded(isRecorded ? 100 : 20, 8, subtracted);
    Profile large = recorded(isRecorded ? 400 : 360, 4, subtracted);
    for (auto [first, second] : {std::pair(&small, &large), std::pair(&large, &small)}) {
      ProfileMerger merger;
      cantFail(merger.add(*first));
      cantFail(merger.add(*second));
      EXPECT_FLOAT_EQ(merger.take().functions[0].probeShare, 120 / 500.F);
    }
  }
}
