//===- SampleTreeTest.cpp - Samples become contexts with three weights ----===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/SampleTree.h"
#include "warpo/Record/RecordFormat.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

/// `name:time/fuel/samples(callees)`, siblings in the order in which they were seen first.
std::string text(const CallTree &tree, const FunctionTable &functions, NodeIndex parent) {
  std::string result;
  for (NodeIndex node = 1; node < tree.size(); ++node) {
    if (tree[node].parent != parent)
      continue;
    result += (result.empty() ? "" : " ") + functions[tree[node].function].name.str() + ":";
    result += utostr(tree[node].selfTime) + "/" + utostr(tree.selfCount(node, 0)) + "/" +
              utostr(tree.selfSamples(node));
    if (std::string below = text(tree, functions, node); !below.empty())
      result += "(" + below + ")";
  }
  return result;
}

/// A stack by its number, counted from 1; the parent of the first is 0, the stack without frames.
struct Stack {
  uint32_t parent;
  const char *frame;
};

struct Case {
  const char *name;
  std::vector<Stack> stacks;
  std::vector<StackSample> samples;
  const char *tree;
  CallTreeOptions options = {};
  uint64_t inOther = 0;
  uint64_t tooDeep = 0;
};

const std::vector<Stack> chain = {{0, "a"}, {1, "b"}, {2, "c"}, {3, "d"}};
const std::vector<Stack> siblings = {{0, "a"}, {1, "b"}, {1, "c"}, {3, "b"}};

const Case cases[] = {
    {"nothing", {}, {}, ""},
    {"of one stack they add up", chain, {{5, 5, 1, {70}}, {8, 3, 1, {10}}}, "a:8/80/2"},
    {"each counts for its innermost frame",
     chain,
     {{5, 5, 2, {70}}, {8, 3, 1, {10}}},
     "a:3/10/1(b:5/70/1)"},
    {"the host's are nobody's",
     chain,
     {{5, 5, 0, {70}}, {8, 3, 1, {10}}, {9, 1, 0, {2}}},
     "a:3/10/1"},
    {"the host's alone", {}, {{5, 5, 0, {70}}}, ""},
    {"recursion is a context of its own",
     {{0, "a"}, {1, "a"}},
     {{5, 5, 2, {70}}},
     "a:0/0/0(a:5/70/1)"},
    {"stacks that differ above",
     siblings,
     {{5, 5, 4, {70}}, {6, 1, 2, {2}}},
     "a:0/0/0(c:0/0/0(b:5/70/1) b:1/2/1)"},
    {"as deep as may be", chain, {{5, 5, 2, {70}}}, "a:0/0/0(b:5/70/1)", {.maxDepth = 2}},
    {"too deep",
     chain,
     {{5, 5, 3, {70}}, {6, 1, 4, {2}}, {7, 1, 2, {1}}},
     "a:0/0/0(b:1/1/1((deeper):6/72/2))",
     {.maxDepth = 2},
     0,
     2},
    {"as many contexts as may be",
     siblings,
     {{5, 5, 2, {70}}},
     "a:0/0/0(b:5/70/1)",
     {.maxContexts = 2}},
    {"a full tree keeps what it has",
     siblings,
     {{5, 5, 2, {70}}, {6, 1, 3, {2}}, {7, 1, 4, {2}}, {8, 1, 2, {2}}},
     "a:0/0/0(b:6/72/2 (other):2/4/2)",
     {.maxContexts = 2},
     2,
     0},
    {"sums stop at the largest number",
     chain,
     {{5, UINT64_MAX - 1, 1, {1}}, {8, 3, 1, {UINT64_MAX}}},
     "a:18446744073709551615/18446744073709551615/2"},
};

TEST(SampleTree, Folds) {
  for (const Case &test : cases) {
    SCOPED_TRACE(test.name);
    RecordHeader header;
    header.measures.push_back({.name = "fuel", .unit = "fuel"});
    header.stacks.resize(1);
    for (const Stack &stack : test.stacks)
      header.stacks.push_back({.parent = stack.parent, .text = stack.frame});
    // One by one and all at once: a stack's place is remembered.
    for (bool together : {false, true}) {
      FunctionTable functions;
      header.declareTo(functions);
      SampleTree samples(functions, header, test.options);
      EXPECT_TRUE(samples.empty());
      if (together)
        samples.add(test.samples);
      else
        for (const StackSample &sample : test.samples)
          samples.add(sample);
      EXPECT_EQ(samples.empty(), test.samples.empty());
      EXPECT_EQ(text(samples.tree(), functions, CallTree::root), test.tree);
      EXPECT_EQ(samples.tree()[CallTree::root].selfTime, 0u);
      EXPECT_EQ(samples.tree().selfSamples(CallTree::root), 0u);
      EXPECT_EQ(samples.samplesInOther(), test.inOther);
      EXPECT_EQ(samples.samplesTooDeep(), test.tooDeep);
    }
  }
}

TEST(SampleTree, LeavesOutWaitingUnlessAsked) {
  RecordHeader header;
  header.stacks.resize(1);
  // A thread that waits; a function that is called so; what is called by waiting.
  for (auto [parent, frame] :
       {std::pair<uint32_t, const char *>{0, "(idle)"}, {0, "a"}, {2, "(idle)"}, {1, "b"}})
    header.stacks.push_back({.parent = parent, .text = frame});
  const StackSample taken[] = {{5, 10, 1, {}}, {6, 1, 2, {}}, {7, 2, 3, {}}, {8, 3, 4, {}}};
  for (auto [countsIdle, expected] :
       {std::pair(false, "(idle):0/0/0(b:3/0/1) a:1/0/1((idle):2/0/1)"),
        {true, "(idle):10/0/1(b:3/0/1) a:1/0/1((idle):2/0/1)"}}) {
    FunctionTable functions;
    header.declareTo(functions);
    SampleTree samples(functions, header, {}, countsIdle);
    samples.add(taken);
    EXPECT_EQ(text(samples.tree(), functions, CallTree::root), expected);
  }
}

} // namespace
