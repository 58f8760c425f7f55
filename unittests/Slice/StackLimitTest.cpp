//===- StackLimitTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/StackLimit.h"
#include <gtest/gtest.h>

using namespace warpo;

namespace {

TEST(StackLimitTest, keepsTheOutermostFrames) {
  constexpr uint32_t maxFrames = 100;
  StackLimit limit(maxFrames);
  std::vector<ResolvedStack> stacks = {{0, 0}};
  for (uint32_t parent = 0; parent < maxFrames; ++parent)
    stacks.push_back({7, parent});
  EXPECT_EQ(limit.within(stacks, 0), 0u);
  EXPECT_EQ(limit.within(stacks, 3), 3u);
  EXPECT_EQ(limit.within(stacks, maxFrames), maxFrames);
  // The table grows: deeper, and beside what is deep.
  auto size = uint32_t(stacks.size());
  stacks.push_back({8, maxFrames});
  stacks.push_back({8, size});
  stacks.push_back({8, 3});
  EXPECT_EQ(limit.within(stacks, size + 1), maxFrames);
  EXPECT_EQ(limit.within(stacks, size), maxFrames);
  EXPECT_EQ(limit.within(stacks, size + 2), size + 2);
}

} // namespace
