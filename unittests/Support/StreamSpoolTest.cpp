//===- StreamSpoolTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/StreamSpool.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace warpo;

namespace {

struct Item {
  uint64_t number;
  uint32_t stream;
};

/// Appends `batches` batches of `size` items to streams by turns and reads all back, twice.
void appendAndRead(size_t streams, size_t batches, size_t size) {
  StreamSpool<Item> spool;
  std::vector<std::vector<uint64_t>> expected(streams);
  std::mt19937 random(3);
  uint64_t number = 0;
  for (size_t i = 0; i < batches; ++i) {
    auto stream = uint32_t(random() % streams);
    std::vector<Item> items;
    for (size_t n = 0; n < size; ++n) {
      expected[stream].push_back(number);
      items.push_back({number++, stream});
    }
    ASSERT_FALSE(bool(spool.append(stream, items)));
  }
  for (int round = 0; round < 2; ++round)
    for (uint32_t stream = 0; stream < streams; ++stream) {
      std::vector<uint64_t> got;
      ASSERT_FALSE(bool(spool.read(stream, [&](const Item &item) {
        EXPECT_EQ(item.stream, stream);
        got.push_back(item.number);
      })));
      EXPECT_EQ(got, expected[stream]);
    }
}

TEST(StreamSpool, KeepsTheOrderOfEachStream) {
  appendAndRead(3, 10, 5);
  // More than is kept in memory, in blocks of all sizes, the last items in memory still.
  size_t most = ByteSpool::maxBuffered / sizeof(Item);
  appendAndRead(1, 5, most / 2 + 1);
  appendAndRead(100, 2 * most / 1000, 1501);
}

TEST(StreamSpool, ReadsAndReplacesAnywhere) {
  // The first items are in the file in the end, the last ones in memory.
  StreamSpool<Item> spool;
  uint64_t count = 3 * (ByteSpool::maxBuffered / sizeof(Item)) / 2;
  std::vector<Item> items;
  for (uint64_t number = 0; number < count; ++number) {
    items.push_back({number, 0});
    if (items.size() == 1000 || number + 1 == count) {
      ASSERT_FALSE(bool(spool.append(0, items)));
      ASSERT_FALSE(bool(spool.append(1, items)));
      items.clear();
    }
  }
  for (uint64_t number = 0; number < count; number += 10'000)
    ASSERT_FALSE(bool(spool.replace(0, number, offsetof(Item, stream), uint32_t(7))));
  ASSERT_FALSE(bool(spool.append(0, Item{count, 0})));
  std::vector<Item> piece(777);
  for (uint32_t stream : {0, 1})
    for (uint64_t at = 0; at < count + (stream == 0);) {
      auto size = spool.readAt(stream, at, piece);
      ASSERT_TRUE(bool(size));
      ASSERT_GT(*size, 0u);
      for (const Item &item : ArrayRef(piece).take_front(*size)) {
        ASSERT_EQ(item.number, at);
        ASSERT_EQ(item.stream, stream == 0 && at % 10'000 == 0 && at < count ? 7u : 0u) << at;
        ++at;
      }
    }
}

TEST(StreamSpool, HasNothingOfAStreamItNeverSaw) {
  StreamSpool<Item> spool;
  ASSERT_FALSE(bool(spool.append(1, Item{1, 1})));
  for (size_t stream : {0, 2})
    EXPECT_FALSE(bool(spool.read(stream, [](const Item &) { FAIL(); })));
}

} // namespace
