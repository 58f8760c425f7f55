//===- FreedAddressesTest.cpp - The last addresses that were freed --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/FreedAddresses.h"
#include <gtest/gtest.h>
#include <random>

using namespace warpo;

TEST(FreedAddresses, KnowsTheLastOnes) {
  FreedAddresses freed;
  EXPECT_FALSE(freed.find(8));
  std::mt19937_64 random(1);
  std::vector<uint64_t> all;
  // Asked now and then, so that the table has to be brought up to date from far behind.
  for (unsigned round = 0; round < 60; ++round) {
    for (size_t count = random() % 20000; count > 0; --count) {
      all.push_back(random() % 200000 * 8);
      freed.add({all.back(), uint32_t(all.size()), 0});
    }
    size_t kept = std::min(all.size(), FreedAddresses::capacity);
    for (unsigned i = 0; i < 5; ++i) {
      uint64_t address = random() % 200000 * 8;
      auto last = std::find(all.rbegin(), all.rbegin() + ptrdiff_t(kept), address);
      const FreedObject *found = freed.find(address);
      EXPECT_EQ(found != nullptr, last != all.rbegin() + ptrdiff_t(kept));
      if (found) {
        EXPECT_EQ(found->address, address);
        EXPECT_EQ(found->allocatedBy, all.rend() - last);
      }
    }
  }
}

TEST(FreedAddresses, ForgetsTheOldest) {
  FreedAddresses freed;
  for (uint64_t i = 0; i <= FreedAddresses::capacity; ++i)
    freed.add({i + 1, 0, 0});
  EXPECT_FALSE(freed.find(1));
  EXPECT_TRUE(freed.find(2));
}
