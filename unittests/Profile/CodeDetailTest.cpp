// SPDX-License-Identifier: Apache-2.0
#include "warpo/Profile/CodeDetail.h"
#include "ProfileText.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

/// run() with twice() inlined at line 22, and in that square() at line 10.
struct Program {
  Program() {
    places.files = {"a.c"};
    places.names = {"square", "twice"};
    places.inlinees = {{1, 1, 5}, {2, 1, 9}};
    FunctionPlaces run;
    run.id = firstFunctionId;
    run.file = 1;
    run.line = 20;
    run.start = 10;
    run.size = 30;
    run.calls = {{0, 2, 1, 22}, {1, 1, 1, 10}};
    run.changes = {{12, 1}, {15, 2}, {20, 0}};
    run.rows = {{10, 1, 21}, {12, 1, 10}, {15, 1, 6}, {20, 1, 23}};
    run.costs = {5, 3, 2};
    places.functions = {run};
    for (auto [name, id] : {std::pair("run", firstFunctionId), {"leaf", leaf}}) {
      inputs.function(name);
      inputs.profile().functions.back().id = id;
    }
    detail.placesOf = [this](uint64_t) { return &places; };
    detail.path = [](StringRef path) { return path.str(); };
  }

  void calls(std::initializer_list<CallInCode> sites) { places.functions.front().sites = sites; }
  std::string write() {
    DetailedProfile detailed = addCodeDetail(inputs.profile(), detail);
    leftOut = detailed.leftOut;
    profile = std::move(detailed.profile);
    callLines = std::move(detailed.callLines);
    return text(profile);
  }
  /// Of run()'s context at the line of its call.
  uint32_t lineOfCall() {
    detail.showsLines = true;
    inputs.add({"run", "leaf"}, 1);
    write();
    for (NodeIndex node = 1; node < profile.tree.size(); ++node)
      if (profile.name(node) == "leaf")
        return profile.function(profile.tree[node].parent).executedLine;
    return UINT32_MAX;
  }
  std::string describe() {
    const CallLines *lines =
        findCallLines(callLines, profile, inputs.function("run"), inputs.function("leaf"));
    return lines ? describeCalls(*lines) : "";
  }

  static constexpr int32_t leaf = firstFunctionId + 1;
  ModulePlaces places;
  ProfileInputs inputs;
  CodeDetail detail;
  Profile profile;
  CallLinesMap callLines;
  uint64_t leftOut = 0;
};

TEST(CodeDetail, ACallThatIsTheOnlyOneHasALine) {
  const CallTarget closed = CallTarget::function(Program::leaf, false);
  const CallTarget open = CallTarget::function(Program::leaf, true);
  const struct {
    std::initializer_list<CallInCode> sites;
    uint32_t line;
    const char *text;
  } cases[] = {
      {{}, 0, ""},
      {{{21, closed}}, 23, "called at a.c:23"},
      {{{21, closed}, {25, closed}}, 23, "called at a.c:23"},
      {{{10, closed}, {25, closed}}, 0, "called at a.c:21, 23"},
      // Within what was inlined, run() itself is at the call of twice().
      {{{12, closed}, {16, closed}}, 22, "called at a.c:6, 10"},
      {{{21, closed}, {22, CallTarget::openFunctions()}}, 23, "called at a.c:23"},
      {{{21, open}, {22, CallTarget::openFunctions()}}, 0, "called at a.c:23, maybe elsewhere"},
      {{{21, closed}, {22, CallTarget::anyFunction()}}, 0, "called at a.c:23, maybe elsewhere"},
      {{{21, CallTarget::function(Program::leaf + 1, false)}}, 0, ""},
  };
  for (const auto &[sites, line, text] : cases) {
    Program program;
    program.calls(sites);
    EXPECT_EQ(program.lineOfCall(), line) << text;
    EXPECT_EQ(program.describe(), text);
  }
}

TEST(CodeDetail, ManyCallsOfOneFunctionEachHaveALine) {
  constexpr uint32_t many = 500'000;
  Program program;
  FunctionPlaces &run = program.places.functions.front();
  run.size = many;
  run.calls.clear();
  run.changes.clear();
  run.costs.clear();
  run.rows.clear();
  for (uint32_t i = 0; i < many; ++i) {
    run.rows.push_back({run.start + i, 1, many - i});
    run.sites.push_back({run.start + i, CallTarget::function(Program::leaf, false)});
  }
  EXPECT_EQ(program.lineOfCall(), 0u);
  EXPECT_EQ(program.describe(), "called at a.c:1, 2, 3, 4, 5, 6 and on 499994 more lines");
}

TEST(CodeDetail, TakesTheLargestId) {
  Program program;
  program.places.functions.front().id = INT32_MAX;
  program.inputs.profile().functions.front().id = INT32_MAX;
  program.calls({{21, CallTarget::function(Program::leaf, false)}});
  EXPECT_EQ(program.lineOfCall(), 23u);
  EXPECT_EQ(CallTarget::function(INT32_MAX, false).id(), INT32_MAX);
}

TEST(CodeDetail, OwnWeightsAreSharedOutByCost) {
  Program program;
  program.calls({{12, CallTarget::function(Program::leaf, false)},
                 {16, CallTarget::function(Program::leaf, false)}});
  program.detail.splitsInlined = true;
  program.inputs.add({"run"}, 101, 7);
  program.inputs.add({"run", "leaf"}, 50, 3);
  // Half of it is run()'s own. Calls of leaf() have twice() in common.
  EXPECT_EQ(program.write(), "run:50/7(twice [inlined, estimated]:30/0(leaf:50/3 "
                             "square [inlined, estimated]:21/0))");
  EXPECT_EQ(program.profile.total(0), 151u);
  // By executions, of which one function's are known.
  const uint64_t executions[] = {0, 0, 9};
  program.detail.costsOf = [&](uint64_t, uint32_t) { return ArrayRef(executions); };
  EXPECT_EQ(program.write(), "run:0/7(twice [inlined, estimated]:0/0(leaf:50/3 "
                             "square [inlined, estimated]:101/0))");
  // Counts of other code.
  program.detail.costsOf = [&](uint64_t, uint32_t) { return ArrayRef(executions).drop_front(); };
  EXPECT_EQ(program.write().substr(0, 8), "run:50/7");
}

TEST(CodeDetail, ContextsHaveALimit) {
  Program program;
  program.detail.splitsInlined = true;
  program.detail.maxContexts = 2;
  for (StringRef caller : {"leaf", "a", "b"})
    program.inputs.add({caller, "run"}, 100);
  program.write();
  EXPECT_EQ(program.profile.total(0), 300u);
  EXPECT_GT(program.leftOut, 0u);
  EXPECT_LT(program.leftOut, 7u);
}

TEST(CodeDetail, TheLargestWeightsAddUp) {
  Program program;
  program.detail.splitsInlined = true;
  program.places.functions.front().costs = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
  program.inputs.add({"run"}, UINT64_MAX);
  EXPECT_EQ(program.write(),
            "run:6148914691236517205/1(twice [inlined, estimated]:6148914691236517205/0("
            "square [inlined, estimated]:6148914691236517205/0))");
}

} // namespace
