// SPDX-License-Identifier: Apache-2.0
// Stacks come out of the ring as they went in, around its end too; what has no room is counted.
#include "native/StackRing.h"

#include "gtest/gtest.h"

using namespace warpo;

namespace {

bool write(StackRing &ring, uint64_t first, size_t count) {
  StackRing::Entry entry(ring);
  for (size_t i = 0; i < count; ++i)
    entry.put(first + i);
  return entry.publish();
}

std::string take(StackRing &ring) {
  std::vector<uint64_t> words;
  if (!ring.take(words))
    return "none";
  for (size_t i = 1; i < words.size(); ++i)
    if (words[i] != words[0] + i)
      return "wrong";
  return std::to_string(words.size()) + " from " + std::to_string(words.empty() ? 0 : words[0]);
}

TEST(StackRing, InTheirOrder) {
  StackRing ring;
  ASSERT_TRUE(ring.allocate());
  EXPECT_EQ(take(ring), "none");
  write(ring, 10, 3);
  write(ring, 20, 0);
  write(ring, 30, 1);
  EXPECT_EQ(take(ring), "3 from 10");
  EXPECT_EQ(take(ring), "0 from 0");
  EXPECT_EQ(take(ring), "1 from 30");
  EXPECT_EQ(take(ring), "none");
  EXPECT_EQ(ring.takeLost(), 0u);
}

TEST(StackRing, AroundTheEnd) {
  StackRing ring;
  ASSERT_TRUE(ring.allocate());
  size_t count = StackRing::size / 3;
  for (uint64_t round = 0; round < 7; ++round) {
    write(ring, round, count);
    EXPECT_EQ(take(ring), std::to_string(count) + " from " + std::to_string(round));
  }
}

TEST(StackRing, WithoutRoom) {
  StackRing ring;
  ASSERT_TRUE(ring.allocate());
  size_t half = StackRing::size / 2 - 1;
  EXPECT_FALSE(write(ring, 1, half - 1));
  EXPECT_TRUE(write(ring, 2, half)) << "the reader is to be woken";
  EXPECT_FALSE(write(ring, 3, half));
  EXPECT_FALSE(write(ring, 4, 2 * StackRing::size));
  write(ring, 5, 0);
  EXPECT_EQ(ring.takeLost(), 2u);
  EXPECT_EQ(take(ring), std::to_string(half - 1) + " from 1");
  EXPECT_EQ(take(ring), std::to_string(half) + " from 2");
  EXPECT_EQ(take(ring), "0 from 0");
  EXPECT_EQ(ring.takeLost(), 0u);
}

} // namespace
