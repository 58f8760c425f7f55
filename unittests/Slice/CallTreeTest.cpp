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

TEST(CallTree, SumsFromTheLeavesUp) {
  CallTree tree;
  NodeIndex a = tree.child(CallTree::root, 1);
  NodeIndex b = tree.child(a, 2);
  NodeIndex c = tree.child(a, 3);
  tree.addTime(a, 1);
  tree.addTime(b, 20);
  tree.addTime(c, 300);
  tree.addCalls(a, 1);
  tree.addCalls(c, 5);
  EXPECT_EQ(tree.inclusive(Weight::time), (std::vector<uint64_t>{321, 321, 20, 300}));
  EXPECT_EQ(tree.inclusive(Weight::calls), (std::vector<uint64_t>{6, 6, 0, 5}));
}

TEST(CallTree, SumsStopAtTheLargestNumber) {
  CallTree tree;
  tree.addTime(tree.child(CallTree::root, 1), UINT64_MAX - 1);
  tree.addTime(tree.child(CallTree::root, 2), 5);
  EXPECT_EQ(tree.inclusive(Weight::time)[CallTree::root], UINT64_MAX);
  tree.addTime(1, 5);
  EXPECT_EQ(tree[1].selfTime, UINT64_MAX);
}

TEST(CallTree, MergesContextByContext) {
  CallTree first, second;
  NodeIndex a = first.child(CallTree::root, 1);
  first.addTime(a, 10);
  NodeIndex b = second.child(CallTree::root, 2);
  NodeIndex c = second.child(b, 1);
  second.addTime(b, 3);
  second.addCalls(c, 7);
  NodeIndex d = second.child(CallTree::root, 1);
  second.addTime(d, 5);
  first.merge(second);
  EXPECT_EQ(text(first), "1:15/0 2:3/0(1:0/7)");
  // Functions may be renamed on the way; contexts that become the same are joined.
  CallTree renamed;
  renamed.merge(first, {0, 4, 4});
  EXPECT_EQ(text(renamed), "4:18/0(4:0/7)");
}

TEST(CallTree, IsWalkedInOrderAndToAnyDepth) {
  CallTree tree;
  NodeIndex a = tree.child(CallTree::root, 9);
  tree.child(CallTree::root, 3);
  tree.child(a, 7);
  tree.child(tree.child(a, 5), 6);
  EXPECT_EQ(text(tree), "3:0/0 9:0/0(5:0/0(6:0/0) 7:0/0)");

  CallTree deep;
  NodeIndex node = CallTree::root;
  for (int i = 0; i < 1000000; ++i)
    node = deep.child(node, 1);
  CallTree::Children children = deep.children([](NodeIndex, NodeIndex) { return false; });
  size_t depth = 0;
  for (CallTreeWalk walk(children); walk.next();)
    EXPECT_EQ(walk.depth(), ++depth);
  EXPECT_EQ(depth, 1000000u);
}
