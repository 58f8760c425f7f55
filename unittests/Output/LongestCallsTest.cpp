//===- LongestCallsTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "timeline/LongestCalls.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace llvm;
using namespace warpo;

namespace {

/// Random calls of two streams, in the order in which they end; many are equally long.
std::vector<ChartCall> randomCalls(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<ChartCall> ended;
  for (StreamIndex stream = 0; stream < 2; ++stream) {
    std::vector<ChartCall> open;
    uint64_t time = 0;
    uint64_t number = 0;
    for (unsigned i = 0; i < 300; ++i) {
      time += random() % 3;
      if (open.empty() || random() % 2) {
        ChartCall call;
        call.start = time;
        call.number = number++;
        call.depth = uint32_t(open.size() + 1);
        call.stream = stream;
        open.push_back(call);
      } else {
        open.back().duration = time - open.back().start;
        ended.push_back(open.back());
        open.pop_back();
      }
    }
    for (; !open.empty(); open.pop_back()) {
      open.back().duration = time - open.back().start;
      ended.push_back(open.back());
    }
  }
  return ended;
}

TEST(LongestCalls, KeepsTheLongestAndWhatTheyLieIn) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::vector<ChartCall> calls = randomCalls(seed);
    for (size_t limit : {1, 7, 50, 10000}) {
      LongestCalls longest([](const ChartCall &call) { return call.ran(); }, limit);
      for (const ChartCall &call : calls)
        longest.add(call);
      EXPECT_EQ(longest.added(), calls.size());
      std::vector<ChartCall> kept = longest.take();
      ASSERT_EQ(kept.size(), std::min(limit, calls.size()));

      std::set<std::pair<StreamIndex, uint64_t>> keys;
      uint64_t shortest = UINT64_MAX;
      for (const ChartCall &call : kept) {
        keys.insert({call.stream, call.number});
        shortest = std::min(shortest, call.duration);
      }
      for (const ChartCall &call : calls) {
        if (!keys.count({call.stream, call.number})) {
          EXPECT_LE(call.duration, shortest);
        }
      }

      // Callers first: the depth grows by one at most from each call to the next.
      for (size_t i = 0; i < kept.size(); ++i) {
        bool isFirst = i == 0 || kept[i - 1].stream != kept[i].stream;
        EXPECT_LE(kept[i].depth, isFirst ? 1 : kept[i - 1].depth + 1)
            << "seed " << seed << ", limit " << limit << ", call " << i;
      }
    }
  }
}

} // namespace
