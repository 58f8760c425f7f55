//===- ProbeSubtractionTest.cpp - Times without what recording took -------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeSubtraction.h"
#include "RandomRecord.h"
#include "RecordText.h"
#include "warpo/Record/HandOver.h"
#include "warpo/Record/OneStack.h"
#include "warpo/Record/ProbeShare.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

/// Gives its entries in blocks of so many, or each in one of its own, so that what is carried over
/// shows.
class TableReader : public RecordSource {
public:
  TableReader(ProbeCost probe, std::vector<uint64_t> times, std::vector<int32_t> ids,
              size_t batchSize = 1)
      : probe_(probe), times_(std::move(times)), ids_(std::move(ids)), batchSize_(batchSize) {
    addStream({});
  }
  ProbeCost probe() const override { return probe_; }
  Expected<bool> next(RecordBatch &batch) override {
    if (next_ == ids_.size())
      return false;
    size_t size = std::min(batchSize_, ids_.size() - next_);
    batch = {0, ArrayRef(times_).slice(next_, size), ArrayRef(ids_).slice(next_, size), {}};
    batch.beginsBlock = true;
    next_ += size;
    return true;
  }
  std::string placeOf(size_t) const override { return ""; }
  uint64_t bytesRead() const override { return 0; }
  std::optional<uint64_t> inputSize() const override { return std::nullopt; }

private:
  ProbeCost probe_;
  std::vector<uint64_t> times_;
  std::vector<int32_t> ids_;
  size_t batchSize_;
  size_t next_ = 0;
};

ProbeRange stated(ProbeCost cost) { return ProbeRange::of(cost, LeafCalls()); }

TEST(ProbeSubtraction, Times) {
  struct {
    const char *name;
    ProbeCost probe;
    std::vector<uint64_t> times;
    std::vector<int32_t> ids;
    std::vector<uint64_t> expected;
    uint64_t subtracted;
    double share;
  } cases[] = {
      {"none", {0, 0}, {100, 110, 120}, {1, 2, -2}, {100, 110, 120}, 0, 0},
      {"begin and end",
       {4096, 2048},
       {100, 110, 120, 130},
       {1, 2, -2, -1},
       {100, 106, 112, 120},
       10,
       1},
      {"never back",
       {20480, 20480},
       {100, 105, 105, 130},
       {1, 2, -2, -1},
       {100, 100, 100, 100},
       30,
       30.0 / 60},
      {"a function pays later, and no other does",
       {10240, 10240},
       {0, 0, 0, 100, 100, 100, 130},
       {1, 2, -2, 3, -3, 2, -2},
       {0, 0, 0, 80, 80, 80, 90},
       40,
       40.0 / 60},
      {"an end that fits no call, and calls that a trap took",
       {10240, 10240},
       {0, 20, 40, 60, 80, 100},
       {1, -7, 2, 0x7fffffff, -1, 1},
       {0, 10, 20, 30, 40, 50},
       50,
       1},
      {"fractions add up, of each function",
       {1536, 1536},
       {0, 10, 20, 30, 40, 50, 60},
       {1, 2, -2, 2, -2, 2, -2},
       {0, 9, 18, 26, 34, 43, 52},
       8,
       8.0 / 9},
      {"absurd",
       {UINT64_MAX, UINT64_MAX},
       {7, 9, 1000},
       {1, 2, 3},
       {7, 7, 7},
       993,
       993.0 / 1024 / 1024 / 1024 / 2},
  };
  for (auto &test : cases) {
    SCOPED_TRACE(test.name);
    ProbeSubtraction reader(std::make_unique<TableReader>(test.probe, test.times, test.ids),
                            stated(test.probe));
    EXPECT_EQ(reader.header().streams.size(), 1u);
    EXPECT_EQ(reader.probe().begin, 0u);
    std::vector<uint64_t> times;
    RecordBatch batch;
    while (cantFail(reader.next(batch)))
      times.insert(times.end(), batch.times.begin(), batch.times.end());
    EXPECT_EQ(times, test.expected);
    EXPECT_EQ(reader.subtracted(), test.subtracted);
    EXPECT_DOUBLE_EQ(reader.subtractedShare(), test.share);
    EXPECT_EQ(reader.recorded(), test.times.back() - test.times.front());
  }
}

/// Begins and ends in turn, 64 in all, with so much time behind each.
static std::pair<std::vector<uint64_t>, std::vector<int32_t>>
callsApart(function_ref<uint64_t(int)> gapBehind) {
  std::vector<uint64_t> times;
  std::vector<int32_t> ids;
  uint64_t now = 0;
  for (int i = 0; i < 64; ++i) {
    times.push_back(now);
    ids.push_back(i % 2 == 0 ? 1 : -1);
    now += gapBehind(i);
  }
  return {times, ids};
}

// Behind the first entry of a block the recorder waits: that is nobody's time, also where the
// entries have been brought into the order of time.
TEST(ProbeSubtraction, HandOver) {
  auto [times, ids] = callsApart([](int i) { return i == 40 ? 5000 : 10; });
  for (size_t batchSize : {20, 64})
    for (bool isOrdered : {false, true}) {
      SCOPED_TRACE(std::to_string(batchSize) + (isOrdered ? " ordered" : ""));
      std::unique_ptr<RecordReader> record =
          std::make_unique<TableReader>(ProbeCost{1024, 1024}, times, ids, batchSize);
      if (isOrdered)
        record = std::make_unique<OneStack>(std::move(record), "in", /*sharesStacks=*/false);
      ProbeSubtraction reader(std::move(record), stated({1024, 1024}));
      RecordBatch batch;
      while (cantFail(reader.next(batch))) {
      }
      EXPECT_EQ(reader.recorded(), times.back());
      // One count of each stretch, and what the 41st lasted longer than the others.
      EXPECT_EQ(reader.subtracted(), batchSize == 20 ? 63 + 4990u : 63u);
    }
}

// A coarse clock shows the wait only when it moves on.
TEST(ProbeSubtraction, HandOverWithACoarseClock) {
  auto [times, ids] = callsApart([](int i) {
    return i == 42 ? 5000 : i % 5 == 0 && i != 40 ? 50 : 0;
  });
  RecordBatch batch{0, ArrayRef(times).drop_front(40), ArrayRef(ids).drop_front(40), {}};
  batch.beginsBlock = true;
  EXPECT_EQ(handOverIn(batch), 3U);
  ProbeSubtraction reader(std::make_unique<TableReader>(ProbeCost{1024, 1024}, times, ids, 20),
                          stated({1024, 1024}));
  while (cantFail(reader.next(batch))) {
  }
  EXPECT_EQ(reader.recorded(), times.back());
  // What is left are eleven steps of the clock, without the trace points.
  EXPECT_NEAR(double(times.back() - reader.subtracted()), 11 * 50 - 63, 60);
}

/// How many entries stand in front of each block.
std::vector<size_t> blockStarts(StringRef bytes) {
  auto reader = cantFail(openBytes(bytes));
  std::vector<size_t> starts;
  size_t entries = 0;
  for (RecordBatch batch; cantFail(reader->next(batch)); entries += batch.size())
    if (batch.beginsBlock)
      starts.push_back(entries);
  return starts;
}

uint64_t subtractedFrom(std::unique_ptr<RecordReader> record) {
  ProbeSubtraction reader(std::move(record), stated({1024, 1024}));
  RecordBatch batch;
  while (cantFail(reader.next(batch))) {
  }
  return reader.subtracted();
}

// The reader cuts a block into batches: calls at their beginnings are as long as they are.
TEST(ProbeSubtraction, BatchesOfABlock) {
  Written record;
  record.header.streams.push_back({1, "", 1});
  record.pieces.push_back({0, {}});
  std::vector<uint64_t> &times = record.pieces[0].columns.times;
  std::vector<int32_t> &ids = record.pieces[0].columns.ids;
  uint64_t now = 0;
  for (size_t i = 0; i < 60000; ++i) {
    times.push_back(now);
    ids.push_back(i % 2 == 0 ? 0x1000001 : -0x1000001);
    bool isLong = i > 0 && i % RecordColumns::capacity == 0;
    now += isLong ? 5000 : 20;
  }
  std::string bytes = record.write();
  std::vector<size_t> starts = blockStarts(bytes);
  ASSERT_EQ(starts.size(), 2u);
  ASSERT_EQ(starts[0], 0u);
  ASSERT_GT(starts[1], 8 * RecordColumns::capacity);
  EXPECT_EQ(subtractedFrom(cantFail(openBytes(bytes))), times.size() - 1);

  ProbeShare share;
  auto reader = cantFail(openBytes(bytes));
  for (RecordBatch batch; cantFail(reader->next(batch));)
    share.add(batch, 0, std::nullopt);
  EXPECT_NEAR(share.of({1024, 1024}).likely, double(times.size()) / double(times.back()), 1e-9);

  // Nor is anything lost of the wait for the block before.
  uint64_t usual = times[starts[1] + 1] - times[starts[1]];
  ASSERT_EQ(usual, 20u);
  for (size_t i = starts[1] + 1; i < times.size(); ++i)
    times[i] += 1000000;
  bytes = record.write();
  ASSERT_EQ(blockStarts(bytes), starts);
  EXPECT_NEAR(double(subtractedFrom(cantFail(openBytes(bytes)))),
              double(times.size() - 1 + 1000000), 20);
}

// Modules that call each other make a batch of each change: none of them is a hand-over.
TEST(ProbeSubtraction, OneStack) {
  Written record;
  record.header.streams = {{1, "", 7}, {2, "", 7}};
  record.pieces = {{0, {}}, {1, {}}};
  uint64_t now = 0;
  auto append = [&](StreamIndex stream, int32_t id, uint64_t lasts) {
    record.pieces[stream].columns.times.push_back(now);
    record.pieces[stream].columns.ids.push_back(id);
    now += lasts;
  };
  constexpr int32_t outer = 0x1000001;
  constexpr int32_t inner = 0x1000002;
  // The 100th call of the inner one is its only long one.
  for (int i = 0; i < 200; ++i) {
    append(0, outer, 50);
    append(1, inner, i == 100 ? 1000000 : 50);
    append(1, -inner, 50);
    append(0, -outer, 50);
  }
  std::string bytes = record.write();
  EXPECT_EQ(subtractedFrom(std::make_unique<OneStack>(cantFail(openBytes(bytes)), "in")), 799u);
}

// A record of nothing but begins, and then of ends of a call that is not open: each search of the
// stack would be a million steps.
TEST(ProbeSubtraction, EndsWithoutBegin) {
  constexpr size_t count = 1000000;
  std::vector<uint64_t> times(2 * count);
  std::vector<int32_t> ids(2 * count, 1);
  std::iota(times.begin(), times.end(), 0);
  std::fill(ids.begin() + count, ids.end(), -2);
  ids[0] = 2;
  ids[1] = -2;
  ProbeSubtraction reader(
      std::make_unique<TableReader>(ProbeCost{512, 512}, times, ids, RecordColumns::capacity),
      stated({512, 512}));
  RecordBatch batch;
  while (cantFail(reader.next(batch))) {
  }
  EXPECT_EQ(reader.entries(), 2 * count);
  EXPECT_NEAR(reader.subtractedShare(), 1, 1e-5);
}

// The clock stands still for ten trace points: what each function takes is right all the same.
TEST(ProbeSubtraction, CoarseClock) {
  std::vector<uint64_t> times{0};
  std::vector<int32_t> ids{1};
  // 1 takes 30 counts a call of 2, which takes 10; a trace point 20 of each. The clock shows
  // hundreds.
  uint64_t now = 0;
  for (int i = 0; i < 20000; ++i) {
    now += i % 2 == 0 ? 30 : 10;
    now += 20;
    ids.push_back(i % 2 == 0 ? 2 : -2);
    times.push_back(now / 97 * 97);
  }
  ProbeSubtraction reader(std::make_unique<TableReader>(ProbeCost{20480, 20480}, times, ids),
                          stated({20480, 20480}));
  RecordBatch batch;
  uint64_t last = 0;
  uint64_t self[2] = {};
  for (size_t i = 0; cantFail(reader.next(batch)); ++i) {
    self[i % 2] += batch.times[0] - last;
    last = batch.times[0];
  }
  EXPECT_NEAR(double(self[1]), 300000, 9000);
  EXPECT_NEAR(double(self[0]), 100000, 9000);
}

// Each of its parts grows while the record is read.
TEST(ProbeSubtraction, HandsOnTheWholeHeader) {
  std::string text = "warpo-record: 1\nclocks: time, fuel\nentries:\n  - module: 1\n";
  for (int i = 0; i < 5000; ++i)
    text +=
        "  - sample: [" + std::to_string(i) + ", 1, 1, 16777216, \"" + std::to_string(i) + "\"]\n";
  text += "  - {module: 2, name: \"second\"}\n  - [9000, 1, 7]\n  - phase: [1, 2, \"run\"]\n";
  auto inner = cantFail(openBytes(text));
  const RecordHeader &expected = inner->header();
  ProbeSubtraction reader(std::move(inner), ProbeRange());
  size_t samples = 0;
  RecordBatch batch;
  while (cantFail(reader.next(batch))) {
    EXPECT_EQ(&reader.header(), &expected);
    samples += batch.beside.samples.size();
    for (const StackSample &sample : batch.beside.samples)
      EXPECT_LT(sample.stack, reader.header().stacks.size());
  }
  EXPECT_EQ(samples, 5000u);
  EXPECT_EQ(reader.header().streams.size(), 2u);
  EXPECT_EQ(reader.header().phases.size(), 1u);
}

} // namespace
