//===- FreedAddressesTest.cpp - The last addresses that were freed --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/FreedAddresses.h"
#include <gtest/gtest.h>
#include <random>

using namespace warpo;

TEST(FreedAddresses, KnowsTheLastOnes) {
  FreedAddresses freed;
  EXPECT_FALSE(freed.contains(8));
  std::mt19937_64 random(1);
  std::vector<uint64_t> all;
  // Asked now and then, so that the table has to be brought up to date from far behind.
  for (unsigned round = 0; round < 60; ++round) {
    for (size_t count = random() % 20000; count > 0; --count) {
      all.push_back(random() % 200000 * 8);
      freed.add(all.back());
    }
    size_t kept = std::min(all.size(), FreedAddresses::capacity);
    for (unsigned i = 0; i < 5; ++i) {
      uint64_t address = random() % 200000 * 8;
      EXPECT_EQ(freed.contains(address),
                std::find(all.end() - ptrdiff_t(kept), all.end(), address) != all.end());
    }
  }
}

TEST(FreedAddresses, ForgetsTheOldest) {
  FreedAddresses freed;
  for (uint64_t i = 0; i <= FreedAddresses::capacity; ++i)
    freed.add(i + 1);
  EXPECT_FALSE(freed.contains(1));
  EXPECT_TRUE(freed.contains(2));
}
