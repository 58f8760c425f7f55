// SPDX-License-Identifier: Apache-2.0
// Which calls are open after some trace points.
#include "warpo/Sampling/OpenCalls.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace warpo;

namespace {

struct Point {
  uint64_t module;
  int32_t id;
};

/// `module:id` of each open call, innermost first.
std::string openAfter(llvm::ArrayRef<Point> points) {
  OpenCalls calls;
  for (const Point &point : points)
    calls.follow(point.module, point.id);
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator space(" ");
  for (const OpenCall &call : calls.innermostFirst())
    os << space << call.module << ':' << call.id;
  return text;
}

TEST(OpenCalls, Sequences) {
  struct {
    const char *name;
    std::vector<Point> points;
    const char *open;
  } cases[] = {
      {"nothing", {}, ""},
      {"a call that returned", {{1, 5}, {1, -5}}, ""},
      {"two deep", {{1, 5}, {1, 6}}, "1:6 1:5"},
      {"modules are told apart", {{1, 5}, {2, 5}, {1, -5}}, ""},
      {"of the innermost module", {{1, 5}, {2, 5}, {2, -5}}, "1:5"},
      {"an exception leaves frames", {{1, 5}, {1, 6}, {1, 7}, {1, -5}}, ""},
      {"the innermost of two that match", {{1, 5}, {1, 6}, {1, 5}, {1, 7}, {1, -5}}, "1:6 1:5"},
      {"an end without a begin", {{1, 5}, {1, -6}}, "1:5"},
      {"an end at first", {{1, -6}, {1, 5}}, "1:5"},
      {"a trap", {{1, 5}, {1, 6}, {1, 5}, {1, 7}, {1, trapId}, {1, -5}}, "1:6 1:5"},
      {"two traps", {{2, 5}, {1, 4}, {1, 5}, {1, 5}, {1, trapId}, {1, trapId}, {1, -5}}, "1:4 2:5"},
      {"two traps, and what is not open", {{1, 5}, {1, trapId}, {1, trapId}, {1, -6}}, "1:5"},
      {"no call", {{1, 0}, {1, 5}, {1, 0}}, "1:5"},
      {"the least id", {{1, 5}, {1, INT32_MIN}}, "1:5"},
  };
  for (const auto &test : cases)
    EXPECT_EQ(openAfter(test.points), test.open) << test.name;
}

TEST(OpenCalls, ThoseInTheMiddleAreForgottenWhenThereAreTooMany) {
  OpenCalls calls;
  for (int32_t id = 1; id <= 1000000; ++id)
    calls.follow(1, id);
  std::vector<OpenCall> open = calls.innermostFirst();
  ASSERT_GE(open.size(), size_t(1000));
  EXPECT_LE(open.size(), size_t(1) << 16);
  for (size_t i = 0; i < 10000; ++i) {
    ASSERT_EQ(open[i].id, 1000000 - int32_t(i));
    ASSERT_EQ(open[open.size() - 1 - i].id, 1 + int32_t(i));
  }
}

TEST(OpenCalls, ADeepRecursionReturnsToWhereItCameFrom) {
  for (int depth : {65533, 65534, 65535, 70000, 200000}) {
    OpenCalls calls;
    calls.follow(1, 1);
    calls.follow(1, 2);
    for (int i = 0; i < depth; ++i)
      calls.follow(1, 3);
    for (int i = 0; i < depth; ++i)
      calls.follow(1, -3);
    std::vector<OpenCall> open = calls.innermostFirst();
    ASSERT_EQ(open.size(), size_t(2)) << depth;
    EXPECT_EQ(open[0].id, 2);
    EXPECT_EQ(open[1].id, 1);
    calls.follow(1, -2);
    EXPECT_EQ(calls.innermostFirst().size(), size_t(1));
  }
}

TEST(OpenCalls, ASectionEndsIfItIsInnermost) {
  constexpr int32_t section = firstSectionId;
  struct {
    std::vector<Point> points;
    bool ends;
    size_t left;
  } cases[] = {
      {{}, false, 0},
      {{{1, section}}, true, 0},
      {{{1, section}, {1, 5}}, false, 2},
      {{{1, section}, {1, 5}, {1, -5}}, true, 0},
      {{{2, section}}, false, 1},
      // The function that ends takes with it what it has begun.
      {{{1, section}, {1, 5}, {1, section + 1}, {1, -5}}, true, 0},
  };
  for (const auto &test : cases) {
    OpenCalls calls;
    for (const Point &point : test.points)
      calls.follow(point.module, point.id);
    EXPECT_EQ(calls.endSection(1), test.ends);
    EXPECT_EQ(calls.innermostFirst().size(), test.left);
  }
}

// As a list of ids and a count of questions: each call is asked about once, whatever is told after.
TEST(OpenCalls, StacksAreNumberedOnceForEachCall) {
  std::vector<std::vector<int32_t>> stacks = {{}};
  size_t asked = 0;
  auto child = [&](uint64_t around, const OpenCall &call) {
    ++asked;
    std::vector<int32_t> stack = stacks[around];
    stack.push_back(call.id);
    stacks.push_back(std::move(stack));
    return uint64_t(stacks.size() - 1);
  };
  using Ids = std::vector<int32_t>;
  OpenCalls calls;
  auto without = [&](size_t leftOut) { return stacks[calls.stackWithout(leftOut, child)]; };
  EXPECT_EQ(without(1), Ids());
  for (int32_t id : {5, 6, 7, 8})
    calls.follow(1, id);
  EXPECT_EQ(without(1), Ids({5, 6, 7}));
  EXPECT_EQ(asked, 3u);
  EXPECT_EQ(without(0), Ids({5, 6, 7, 8}));
  EXPECT_EQ(without(3), Ids({5}));
  EXPECT_EQ(without(9), Ids());
  EXPECT_EQ(asked, 4u);
  // The same depth and the same innermost call as before, within another one.
  for (int32_t id : {-8, -7, 9, 8})
    calls.follow(1, id);
  EXPECT_EQ(without(0), Ids({5, 6, 9, 8}));
  EXPECT_EQ(asked, 6u);
  // An end that takes more calls with it.
  for (int32_t id : {-6, 8})
    calls.follow(1, id);
  EXPECT_EQ(without(0), Ids({5, 8}));
  EXPECT_EQ(asked, 7u);
}

} // namespace
