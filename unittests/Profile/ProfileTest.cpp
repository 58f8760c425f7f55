// SPDX-License-Identifier: Apache-2.0
#include "warpo/Profile/Profile.h"
#include "ProfileText.h"
#include "warpo/Profile/Views.h"
#include "warpo/Record/FunctionTable.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

TEST(Profile, SumsFromTheLeavesUp) {
  ProfileInputs inputs;
  inputs.add({"a"}, 1, 1);
  inputs.add({"a", "b"}, 20, 0);
  inputs.add({"a", "c"}, 300, 5);
  const Profile &profile = inputs.profile();
  EXPECT_EQ(profile.inclusive(0), (std::vector<uint64_t>{321, 321, 20, 300}));
  EXPECT_EQ(profile.inclusive(1), (std::vector<uint64_t>{6, 6, 0, 5}));
  EXPECT_EQ(profile.total(0), 321u);
}

TEST(Profile, SumsStopAtTheLargestNumber) {
  ProfileInputs inputs;
  inputs.add({"a"}, UINT64_MAX - 1);
  inputs.add({"b"}, 5);
  EXPECT_EQ(inputs.profile().total(), UINT64_MAX);
  EXPECT_EQ(inputs.profile().inclusive()[ContextTree::root], UINT64_MAX);
  inputs.add({"a"}, 5);
  EXPECT_EQ(inputs.profile().self(1), UINT64_MAX);
}

TEST(Profile, IsMadeOfACallTree) {
  FunctionTable functions;
  FunctionIndex unused = functions.idsOf(7).find(5);
  FunctionIndex f = functions.idsOf(7).find(6);
  FunctionIndex lost = functions.pseudoFunction("[lost]");
  EXPECT_NE(unused, f);
  CallTree tree;
  NodeIndex a = tree.child(CallTree::root, f);
  NodeIndex b = tree.child(a, lost);
  tree.addTime(a, 5);
  tree.addTime(b, 1);
  tree.addCalls(a, 3);

  Profile ticks = makeProfile(tree, functions, Measure(), "title");
  EXPECT_EQ(text(ticks), "function 6:5/3([lost]:1/0)");
  EXPECT_EQ(ticks.title, "title");
  EXPECT_EQ(ticks.unit(), "ticks");
  EXPECT_EQ(ticks.functions.size(), 2u);
  EXPECT_EQ(ticks.function(a).id, 6);
  EXPECT_FALSE(ticks.isPseudo(a));
  EXPECT_TRUE(ticks.isPseudo(b));
  EXPECT_EQ(ticks.calls(a), 3u);

  Profile nanoseconds = makeProfile(tree, functions, Measure{.scale = TimeScale(1, 2)}, "");
  EXPECT_EQ(text(nanoseconds), "function 6:2/3([lost]:0/0)");
  EXPECT_EQ(nanoseconds.unit(), "ns");

  nanoseconds.shown = 1;
  Profile calls = withoutTime(nanoseconds);
  EXPECT_EQ(text(calls), "function 6:3([lost]:0)");
  EXPECT_EQ(calls.unit(), "calls");
}

TEST(Profile, IsWalkedInOrderAndToAnyDepth) {
  ProfileInputs inputs;
  inputs.add({"b", "z", "y"}, 0);
  inputs.add({"a"}, 0);
  inputs.add({"b", "x"}, 0);
  const Profile &profile = inputs.profile();
  ContextTree::Children children = profile.tree.children(
      [&](NodeIndex a, NodeIndex b) { return profile.name(a) < profile.name(b); });
  std::string names;
  for (CallTreeWalk walk(children); walk.next();)
    names += profile.name(walk.node()).str() + std::to_string(walk.depth());
  EXPECT_EQ(names, "a1b1x2z2y3");

  ContextTree deep;
  for (NodeIndex i = 0; i < 1000000; ++i)
    deep.append(i, 0);
  ContextTree::Children chain = deep.children();
  size_t depth = 0;
  for (CallTreeWalk walk(chain); walk.next();)
    EXPECT_EQ(walk.depth(), ++depth);
  EXPECT_EQ(depth, 1000000u);
}

TEST(Profile, JoinsFunctions) {
  ProfileInputs inputs;
  inputs.add({"a"}, 1);
  inputs.add({"a", "b", "a"}, 2);
  inputs.add({"a", "c", "a"}, 4);
  inputs.add({"c"}, 8);
  std::vector<FunctionIndex> representatives{0, 1, 1};
  EXPECT_EQ(text(joinFunctions(inputs.profile(), representatives)), "a:1/1(b:0/0(a:6/2)) b:8/1");
}
