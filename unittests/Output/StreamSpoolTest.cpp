//===- StreamSpoolTest.cpp ------------------------------------------------===//

#include "timeline/StreamSpool.h"
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

TEST(StreamSpool, HasNothingOfAStreamItNeverSaw) {
  StreamSpool<Item> spool;
  ASSERT_FALSE(bool(spool.append(1, Item{1, 1})));
  for (size_t stream : {0, 2})
    EXPECT_FALSE(bool(spool.read(stream, [](const Item &) { FAIL(); })));
}

} // namespace
