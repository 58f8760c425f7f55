//===- RecordedHeapTest.cpp - Heap events of streams, merged by time ------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/RecordedHeap.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace llvm;
using namespace warpo;

namespace {

using Place = std::tuple<uint64_t, StreamIndex, uint64_t>;

TEST(RecordedHeap, MergesByTimeThenByStream) {
  for (unsigned streams : {1u, 2u, 3u, 40u}) {
    std::mt19937_64 random(streams);
    std::vector<Place> seen, expected;
    RecordedHeap heap([&](StreamIndex stream, ArrayRef<HeapEvent> events) {
      EXPECT_FALSE(events.empty());
      for (const HeapEvent &event : events)
        seen.emplace_back(event.time, stream, event.address);
    });
    std::vector<uint64_t> times(streams);
    uint64_t number = 0;
    for (unsigned round = 0; round < 300; ++round) {
      auto stream = StreamIndex(random() % streams);
      std::vector<HeapEvent> events(random() % 200);
      for (HeapEvent &event : events) {
        event.time = times[stream] += random() % 3;
        event.address = number++;
        expected.emplace_back(event.time, stream, event.address);
      }
      EXPECT_FALSE(heap.add(stream, events));
    }
    EXPECT_TRUE(seen.empty());
    EXPECT_FALSE(heap.finish());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(seen, expected);
  }
}

TEST(RecordedHeap, OneStreamWaitsForNoOther) {
  std::vector<uint64_t> seen;
  RecordedHeap heap([&](StreamIndex stream, ArrayRef<HeapEvent> events) {
    EXPECT_EQ(stream, 3u);
    for (const HeapEvent &event : events)
      seen.push_back(event.address);
  });
  heap.expectOneStream();
  EXPECT_FALSE(heap.add(3, {{.address = 1}, {.address = 2}}));
  EXPECT_EQ(seen, (std::vector<uint64_t>{1, 2}));
  EXPECT_FALSE(heap.add(3, {{.address = 3}}));
  EXPECT_FALSE(heap.finish());
  EXPECT_EQ(seen, (std::vector<uint64_t>{1, 2, 3}));
}

} // namespace
