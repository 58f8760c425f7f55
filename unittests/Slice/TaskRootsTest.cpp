//===- TaskRootsTest.cpp - Many tasks below deep stacks -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/TaskRoots.h"
#include "CallTreeText.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

// A record of some megabytes may say so: no switch may walk its whole stack.
TEST(TaskRoots, TakesManySwitchesOfADeepStack) {
  constexpr uint32_t many = 1'000'000;
  constexpr uint32_t maxDepth = 3;
  RecordHeader header;
  header.streams.resize(2);
  header.stacks.resize(1);
  for (uint32_t parent = 0; parent < many; ++parent)
    header.stacks.push_back({.parent = parent, .text = "f"});
  for (uint32_t i = 0; i < many; ++i)
    header.switches.push_back({.kind = RecordedSwitch::Kind::starts,
                               .stream = 1,
                               .time = 0,
                               .from = 0,
                               .at = 0,
                               .stack = many - i});
  FunctionTable functions;
  header.declareTo(functions);
  FunctionIndex task = functions.pseudoFunction("task");
  CallTreeBuilder tree(functions, {});
  TaskRoots roots(header, functions, {.maxDepth = maxDepth}, tree);
  const Event events[] = {{0, task, EventKind::begin},
                          {5, task, EventKind::endReturned},
                          {7, task, EventKind::begin},
                          {9, task, EventKind::endReturned}};
  EventBatch batch;
  batch.stream = 1;
  batch.events = events;
  cantFail(roots.events(batch));
  cantFail(tree.finish());

  // The first task has the deepest stack, the second one the outermost frame alone.
  auto nameOf = [&](FunctionIndex function) { return functions[function].name.str(); };
  EXPECT_EQ(test::text(roots.join(tree.tree()), nameOf),
            "f:0/0(f:0/0(f:0/0((deeper):5/1)) task:2/1)");
  EXPECT_EQ(roots.callsTooDeep(), 1u);
}

// The call waits within what the limits have merged: its wait must not count there, or the time of
// the task would count twice.
TEST(TaskRoots, LimitedTreesCountNoWaits) {
  RecordHeader header;
  header.streams.resize(2);
  header.stacks.resize(1);
  header.stacks.push_back({.parent = 0, .text = "f"});
  header.switches.push_back({.kind = RecordedSwitch::Kind::starts,
                             .stream = 1,
                             .time = 10,
                             .from = 0,
                             .at = 10,
                             .stack = 1});
  header.switches.push_back(
      {.kind = RecordedSwitch::Kind::returns, .stream = 0, .time = 50, .from = 1, .at = 50});
  for (CallTreeOptions limits :
       {CallTreeOptions{.maxContexts = 1}, CallTreeOptions{.maxDepth = 1}}) {
    FunctionTable functions;
    header.declareTo(functions);
    FunctionIndex f = functions.pseudoFunction("f");
    FunctionIndex task = functions.pseudoFunction("task");
    CallTreeBuilder tree(functions, limits);
    TaskRoots roots(header, functions, limits, tree);
    // f calls f, and that the task, which runs for 40 of the 60.
    const Event outer[] = {{0, f, EventKind::begin},
                           {5, f, EventKind::begin},
                           {55, f, EventKind::endReturned},
                           {60, f, EventKind::endReturned}};
    const Event inner[] = {{10, task, EventKind::begin}, {50, task, EventKind::endReturned}};
    EventBatch batch;
    batch.events = outer;
    cantFail(roots.events(batch));
    batch.stream = 1;
    batch.events = inner;
    cantFail(roots.events(batch));
    cantFail(tree.finish());
    CallTree joined = roots.join(tree.tree());
    uint64_t sum = 0;
    for (NodeIndex node = 0; node < joined.size(); ++node)
      sum += joined[node].selfTime;
    EXPECT_EQ(sum, 60u);
  }
}
