// SPDX-License-Identifier: Apache-2.0
#include "CallTreeText.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

TEST(CallTree, HasOneNodeForEachContext) {
  CallTree tree;
  NodeIndex a = tree.child(CallTree::root, 1);
  NodeIndex b = tree.child(a, 2);
  NodeIndex c = tree.child(CallTree::root, 2);
  EXPECT_NE(b, c);
  EXPECT_EQ(tree.child(CallTree::root, 1), a);
  EXPECT_EQ(tree.child(a, 2), b);
  EXPECT_EQ(tree.findChild(a, 2), b);
  EXPECT_EQ(tree.findChild(a, 3), std::nullopt);
  EXPECT_EQ(tree.findChild(b, 2), std::nullopt);
  EXPECT_EQ(tree.size(), 4u);
  EXPECT_EQ(tree[b].parent, a);
  EXPECT_EQ(tree[b].function, 2u);
}

// Enough nodes that the hash table grows several times, asked for in an order that defeats the
// memory of the last child.
TEST(CallTree, FindsEveryNodeAfterGrowing) {
  CallTree tree;
  std::vector<NodeIndex> nodes;
  for (FunctionIndex f = 0; f < 20000; ++f)
    nodes.push_back(tree.child(f < 100 ? CallTree::root : nodes[f * 7919u % f], f % 300));
  for (FunctionIndex f = 0; f < 20000; ++f) {
    NodeIndex parent = f < 100 ? CallTree::root : nodes[f * 7919u % f];
    EXPECT_EQ(tree.findChild(parent, f % 300), nodes[f]);
    EXPECT_EQ(tree.child(parent, f % 300), nodes[f]);
  }
}

TEST(CallTree, SumsStopAtTheLargestNumber) {
  CallTree tree;
  tree.addTime(tree.child(CallTree::root, 1), UINT64_MAX - 1);
  tree.addTime(1, 5);
  EXPECT_EQ(tree[1].selfTime, UINT64_MAX);
}
