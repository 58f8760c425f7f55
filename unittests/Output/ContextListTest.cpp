// SPDX-License-Identifier: Apache-2.0
#include "profile/ContextList.h"
#include "ProfileText.h"
#include "profile/FunctionGraph.h"
#include "profile/ReaderLimits.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

// One line a context: `depth name self/inclusive` of the shown weight.
std::string text(const ContextList &list) {
  std::string result;
  for (size_t i = 0; i < list.contexts().size(); ++i) {
    const ListedContext &context = list.contexts()[i];
    result += std::to_string(context.depth) + " " + list.frames()[context.frame].name + " " +
              std::to_string(list.shown().self[i]) + "/" +
              std::to_string(list.shown().inclusive[i]) + "\n";
  }
  return result;
}

// Of each function `name'level self/inclusive`, then of each arc `caller>callee calls inclusive`.
std::string text(const ContextList &list, const FunctionGraph &graph) {
  auto name = [&](uint32_t node) {
    return list.frames()[graph.nodes[node].frame].name + "'" +
           std::to_string(graph.nodes[node].level);
  };
  std::string result;
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    result += name(i) + " " + std::to_string(graph.nodes[i].self[0]) + "/" +
              std::to_string(graph.nodes[i].inclusive[0]) + "\n";
  for (const FunctionGraph::Arc &arc : graph.arcs)
    result += name(arc.caller) + ">" + name(arc.callee) + " " + std::to_string(arc.calls) + " " +
              std::to_string(arc.inclusive[0]) + "\n";
  return result;
}

// main calls f, which calls itself; g calls f.
test::ProfileInputs recursion() {
  test::ProfileInputs inputs;
  inputs.add({"main"}, 10);
  inputs.add({"main", "g"}, 15);
  inputs.add({"main", "g", "f"}, 15);
  inputs.add({"main", "f"}, 30);
  inputs.add({"main", "f", "f"}, 30, 2);
  return inputs;
}

TEST(ContextList, CallersComeFirstAndTheHeaviestOfSiblings) {
  test::ProfileInputs inputs = recursion();
  ContextList list(inputs.profile());
  EXPECT_EQ(text(list), "1 main 10/100\n"
                        "2 f 30/60\n"
                        "3 f 30/30\n"
                        "2 g 15/30\n"
                        "3 f 15/15\n");
  EXPECT_EQ(list.shown().total, 100u);
  ASSERT_NE(list.calls(), nullptr);
  EXPECT_EQ(list.calls()->total, 6u);
  EXPECT_EQ(list.frames().size(), 3u);
}

TEST(ContextList, NamesThatLookTheSameAreOneFrame) {
  test::ProfileInputs inputs;
  inputs.add({"a\tb"}, 1);
  inputs.add({"a b"}, 2);
  ContextList list(inputs.profile());
  EXPECT_EQ(list.frames().size(), 1u);
  EXPECT_EQ(text(list), "1 a b 2/2\n1 a b 1/1\n");
}

TEST(ContextList, SumsStopAtTheLargestNumber) {
  test::ProfileInputs inputs;
  inputs.add({"a"}, UINT64_MAX);
  inputs.add({"a", "b"}, 1);
  ContextList list(inputs.profile());
  EXPECT_EQ(list.shown().total, UINT64_MAX);
  EXPECT_EQ(notesOfLargeTotals(list, maxExactDouble, "much").size(), 1u);
}

TEST(ContextList, WhatIsCutKeepsItsWeight) {
  test::ProfileInputs inputs = recursion();
  ContextList list(inputs.profile());
  EXPECT_EQ(list.cutBelow(3), 0u);
  EXPECT_EQ(list.cutBelow(2), 2u);
  EXPECT_EQ(text(list), "1 main 10/100\n2 f 60/60\n2 g 30/30\n");
  EXPECT_EQ(list.cutBelow(1), 2u);
  EXPECT_EQ(text(list), "1 main 100/100\n");
}

TEST(CutStacks, KeepsToDepthAndFrames) {
  struct Case {
    uint32_t maxDepth;
    uint64_t maxFrames;
    size_t left;
  };
  // Stacks of 1, 2, 2, 3 and 3 frames.
  for (auto [maxDepth, maxFrames, left] :
       {Case{3, 100, 5}, Case{3, 11, 5}, Case{3, 10, 3}, Case{2, 100, 3}, Case{9, 4, 1},
        Case{9, 0, 1}, Case{1, 100, 1}}) {
    test::ProfileInputs inputs = recursion();
    ContextList list(inputs.profile());
    std::vector<std::string> notes = cutStacks(list, maxDepth, maxFrames, "so");
    EXPECT_EQ(list.contexts().size(), left) << maxDepth << ' ' << maxFrames;
    EXPECT_EQ(notes.empty(), left == 5);
  }
  test::ProfileInputs inputs = recursion();
  ContextList list(inputs.profile());
  EXPECT_EQ(cutStacks(list, 2, 100, "so"),
            std::vector<std::string>{"2 contexts below depth 2 count as their callers there: so"});
  test::ProfileInputs straight;
  straight.add({"main", "f"}, 1);
  ContextList two(straight.profile());
  EXPECT_EQ(cutStacks(two, 1, 100, "so"),
            std::vector<std::string>{"1 context below depth 1 counts as its caller there: so"});
}

TEST(FunctionGraph, RecursionCountsOnce) {
  test::ProfileInputs inputs = recursion();
  ContextList list(inputs.profile());
  EXPECT_EQ(text(list, makeFunctionGraph(list, /*separateRecursion=*/false)), "main'1 10/100\n"
                                                                              "f'1 75/75\n"
                                                                              "g'1 15/30\n"
                                                                              "main'1>f'1 1 60\n"
                                                                              "main'1>g'1 1 30\n"
                                                                              "f'1>f'1 2 30\n"
                                                                              "g'1>f'1 1 15\n");
}

TEST(FunctionGraph, LevelsOfRecursionAreKeptApart) {
  test::ProfileInputs inputs = recursion();
  ContextList list(inputs.profile());
  EXPECT_EQ(text(list, makeFunctionGraph(list, /*separateRecursion=*/true)), "main'1 10/100\n"
                                                                             "f'1 45/75\n"
                                                                             "f'2 30/30\n"
                                                                             "g'1 15/30\n"
                                                                             "main'1>f'1 1 60\n"
                                                                             "main'1>g'1 1 30\n"
                                                                             "f'1>f'2 2 30\n"
                                                                             "g'1>f'1 1 15\n");
}

} // namespace
