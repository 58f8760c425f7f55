// SPDX-License-Identifier: Apache-2.0
#include "timeline/CallBlocks.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;
using namespace warpo;

namespace {

/// Adds calls as a stream ends them.
class Caller {
public:
  static constexpr FunctionIndex lostFunction = 99;

  explicit Caller(CallBlocks &blocks) : blocks_(blocks) {}

  void begin(uint64_t time, FunctionIndex function) {
    CallBlock call;
    call.start = time;
    call.number = ++begun_;
    call.caller = open_.empty() ? 0 : open_.back().number;
    call.depth = uint32_t(open_.size() + 1);
    call.function = function;
    call.lost = function == lostFunction;
    open_.push_back(call);
  }
  void end(uint64_t time) {
    open_.back().end = time;
    open_.back().self = 1;
    blocks_.add(0, open_.back());
    open_.pop_back();
  }
  void call(uint64_t start, uint64_t stop, FunctionIndex function) {
    begin(start, function);
    end(stop);
  }
  size_t depth() const { return open_.size(); }

private:
  CallBlocks &blocks_;
  uint64_t begun_ = 0;
  std::vector<CallBlock> open_;
};

// `depth function×calls start..end`, with `+` if calls are hidden, by block.
std::string text(const CallBlocks &blocks) {
  std::string result;
  for (const CallBlock &block : blocks.streams()[0])
    result += std::to_string(block.depth) + " " +
              (block.function == CallBlock::mixed ? "mixed" : std::to_string(block.function)) +
              "x" + std::to_string(block.calls) + (block.hides ? "+" : "") + " " +
              std::to_string(block.start) + ".." + std::to_string(block.end) + "\n";
  return result;
}

TEST(CallBlocks, FewAreKeptAsTheyAre) {
  CallBlocks blocks(4);
  Caller caller(blocks);
  caller.begin(0, 1);
  caller.call(1, 2, 2);
  caller.call(2, 3, 2);
  caller.end(10);
  blocks.finish();
  EXPECT_EQ(text(blocks), "1 1x1 0..10\n2 2x1 1..2\n2 2x1 2..3\n");
  EXPECT_EQ(blocks.shortest(), 0u);
}

TEST(CallBlocks, ShortNeighboursOfOneCallerBecomeOne) {
  CallBlocks blocks(4);
  Caller caller(blocks);
  caller.begin(0, 1);
  for (uint64_t time = 10; time < 20; time += 2)
    caller.call(time, time + 1, 2);
  // Far from the others.
  caller.call(900, 901, 3);
  caller.end(1000);
  blocks.finish();
  EXPECT_EQ(text(blocks), "1 1x1 0..1000\n2 2x5 10..19\n2 3x1 900..901\n");
  EXPECT_GT(blocks.shortest(), 1u);
  EXPECT_EQ(blocks.added(), 7u);
}

TEST(CallBlocks, OfSeveralFunctionsAndWithCallsInside) {
  CallBlocks blocks(2);
  Caller caller(blocks);
  caller.begin(0, 1);
  for (int i = 0; i < 3; ++i) {
    caller.begin(10 + 4 * i, FunctionIndex(2 + i % 2));
    caller.call(11 + 4 * i, 12 + 4 * i, 4);
    caller.end(13 + 4 * i);
  }
  caller.end(1000);
  blocks.finish();
  EXPECT_EQ(text(blocks), "1 1x1 0..1000\n2 mixedx3+ 10..21\n");
}

TEST(CallBlocks, KeepWhatTheirCallsTook) {
  CallBlocks blocks(2);
  Caller caller(blocks);
  caller.begin(0, 1);
  caller.call(10, 13, 2);
  caller.call(20, 21, 2);
  caller.begin(22, 2);
  caller.call(23, 24, Caller::lostFunction);
  caller.end(25);
  caller.end(1000);
  blocks.finish();
  EXPECT_EQ(text(blocks), "1 1x1 0..1000\n2 2x3+ 10..25\n");
  const CallBlock &block = blocks.streams()[0][1];
  EXPECT_EQ(block.spent, 7u);
  EXPECT_EQ(block.self, 3u);
  EXPECT_TRUE(block.lost);
  EXPECT_FALSE(blocks.streams()[0][0].lost);
}

// Whatever is kept: blocks lie in their callers and beside each other, no outermost call is lost,
// and no more than the limit are kept.
TEST(CallBlocks, HoldTogether) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    size_t limit = 1 + random() % 30;
    CallBlocks blocks(limit);
    Caller caller(blocks);
    uint64_t time = 0, outermost = 0;
    for (int i = 0; i < 300; ++i) {
      time += random() % 20;
      if (caller.depth() > 0 && random() % 2) {
        caller.end(time);
      } else {
        outermost += caller.depth() == 0;
        caller.begin(time, random() % 4);
      }
    }
    while (caller.depth() > 0)
      caller.end(++time);
    blocks.finish();
    EXPECT_LE(blocks.size(), limit) << seed;
    uint64_t counted = 0;
    std::vector<CallBlock> open;
    for (const CallBlock &block : blocks.streams()[0]) {
      counted += block.depth == 1 ? block.calls : 0;
      ASSERT_LE(block.depth, open.size() + 1) << seed;
      if (open.size() >= block.depth) {
        EXPECT_LE(open[block.depth - 1].end, block.start) << seed;
      }
      open.resize(block.depth - 1);
      if (!open.empty()) {
        EXPECT_EQ(open.back().number, block.caller) << seed;
        EXPECT_LE(open.back().start, block.start) << seed;
        EXPECT_GE(open.back().end, block.end) << seed;
      }
      open.push_back(block);
    }
    EXPECT_EQ(counted, outermost) << seed;
  }
}

} // namespace
