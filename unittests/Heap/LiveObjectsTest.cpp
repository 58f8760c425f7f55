//===- LiveObjectsTest.cpp - A table of live objects against std::map -----===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/LiveObjects.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace warpo;

namespace {

bool isSame(const LiveObject &a, const LiveObject &b) {
  return a.size == b.size && a.time == b.time && a.born == b.born && a.path == b.path;
}

TEST(LiveObjects, HoldsWhatAMapHolds) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    std::mt19937_64 random(seed);
    LiveObjects objects;
    std::map<uint64_t, LiveObject> model;
    // Addresses of few values are often met again; those of 64 bits never are.
    uint64_t addresses = seed % 2 ? UINT64_MAX : 700;
    for (unsigned step = 0; step < 20000; ++step) {
      uint64_t address = random() % addresses * (seed % 3 + 1) * 8;
      if (addresses == UINT64_MAX && !model.empty() && random() % 2)
        address = model.lower_bound(random() % model.rbegin()->first)->first;
      auto known = model.find(address);
      if (random() % 5 < 3) {
        LiveObject object{random(), random(), random(), uint32_t(random())};
        auto before = objects.insert(address, object);
        ASSERT_EQ(before.has_value(), known != model.end());
        if (before) {
          ASSERT_TRUE(isSame(*before, known->second));
        }
        model[address] = object;
      } else {
        auto object = objects.erase(address);
        ASSERT_EQ(object.has_value(), known != model.end());
        if (object) {
          ASSERT_TRUE(isSame(*object, known->second));
          model.erase(known);
        }
      }
      ASSERT_EQ(objects.size(), model.size());
    }
    size_t visited = 0;
    objects.forEach([&](uint64_t address, const LiveObject &object) {
      ++visited;
      auto known = model.find(address);
      ASSERT_NE(known, model.end());
      EXPECT_TRUE(isSame(object, known->second));
    });
    EXPECT_EQ(visited, model.size());
  }
}

/// What has to be multiplied with a number to get 1, of 64 bits.
uint64_t inverseOf(uint64_t number) {
  uint64_t inverse = number;
  for (unsigned i = 0; i < 6; ++i)
    inverse *= 2 - number * inverse;
  return inverse;
}

// Whoever knows the hash can choose addresses that all belong into one slot.
TEST(LiveObjects, FindsChosenAddressesSoon) {
  LiveObjects objects;
  constexpr uint64_t count = 20000;
  auto addressOf = [](uint64_t hash) {
    hash *= inverseOf(0xbf58476d1ce4e5b9u);
    hash ^= hash >> 29 ^ hash >> 58;
    hash *= inverseOf(0x9e3779b97f4a7c15u);
    return hash ^ hash >> 32;
  };
  for (uint64_t i = 0; i < count; ++i)
    objects.insert(addressOf(i), {.size = i, .time = 0, .born = 0, .path = 0});
  EXPECT_EQ(objects.size(), count);
  EXPECT_LT(objects.longestWay(), 200u);
  for (uint64_t i = 0; i < count; ++i) {
    auto object = objects.erase(addressOf(i));
    ASSERT_TRUE(object.has_value()) << i;
    EXPECT_EQ(object->size, i);
  }
}

TEST(LiveObjects, VisitsThoseThatLive) {
  LiveObjects objects;
  // A sum of bytes stops at the largest number.
  for (uint64_t i = 1; i <= 1000; ++i)
    objects.insert(i * 8, {.size = i, .time = 0, .born = i % 2 ? UINT64_MAX : 0, .path = 0});
  for (uint64_t i = 1; i <= 1000; i += 3)
    objects.erase(i * 8);
  uint64_t visited = 0, sum = 0;
  objects.forEach([&](uint64_t address, const LiveObject &object) {
    EXPECT_EQ(address, object.size * 8);
    EXPECT_NE(object.size % 3, 1u);
    ++visited;
    sum += object.size;
  });
  EXPECT_EQ(visited, objects.size());
  EXPECT_EQ(sum, 500500u - (1u + 1000u) * 334u / 2u);
}

TEST(LiveObjects, TakesAtMost48BytesEach) {
  LiveObjects objects;
  for (uint64_t i = 1; i <= 60000; ++i) {
    objects.insert(i * 16, {});
    if (i >= 10000) {
      ASSERT_LE(objects.bytes(), 48 * i) << i;
    }
  }
  // What was freed is used again.
  size_t bytes = objects.bytes();
  for (uint64_t i = 1; i <= 60000; ++i) {
    objects.erase(i * 16);
    objects.insert(i * 16 + 8, {});
  }
  EXPECT_EQ(objects.bytes(), bytes);
}

// As many as no cache holds, in large pages.
TEST(LiveObjects, HoldsTenMillion) {
  LiveObjects objects;
  constexpr uint64_t count = 10'000'000;
  for (uint64_t i = 1; i <= count; ++i) {
    objects.insert(i * 16, {.size = i, .time = i, .born = 0, .path = 1});
    if (i % 1'000'000 == 0) {
      ASSERT_LE(objects.bytes(), 48 * i);
    }
  }
  for (uint64_t i = 1; i <= count; ++i)
    ASSERT_EQ(objects.erase(i * 16)->size, i);
  EXPECT_EQ(objects.size(), 0u);
}

} // namespace
