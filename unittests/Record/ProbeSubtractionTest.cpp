//===- ProbeSubtractionTest.cpp - Times without what recording took -------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeSubtraction.h"
#include "RecordText.h"
#include "warpo/Support/SectionId.h"
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
              size_t batchSize = 1, std::optional<TimeScale> scale = std::nullopt)
      : probe_(probe), times_(std::move(times)), ids_(std::move(ids)), batchSize_(batchSize) {
    addStream({});
    header_.measures.front().scale = scale;
  }
  ProbeCost probe() const override { return probe_; }
  Expected<bool> next(RecordBatch &batch) override {
    if (next_ == ids_.size())
      return false;
    size_t size = std::min(batchSize_, ids_.size() - next_);
    batch = {0, ArrayRef(times_).slice(next_, size), ArrayRef(ids_).slice(next_, size), {}};
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

RecordingEffects stated(ProbeCost cost) { return {ProbeRange::of(cost, LeafCalls())}; }

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

// That the recorder kept the thread is no time of the program's, and costs no trace point.
TEST(ProbeSubtraction, RecordersOwnTime) {
  std::vector<uint64_t> times{0, 20, 40, 40, 540, 560};
  std::vector<int32_t> ids{1, 2, -2, recordingId, -recordingId, -1};
  ProbeSubtraction reader(std::make_unique<TableReader>(ProbeCost{10240, 10240}, times, ids),
                          stated({10240, 10240}));
  std::vector<uint64_t> moved;
  RecordBatch batch;
  while (cantFail(reader.next(batch)))
    moved.insert(moved.end(), batch.times.begin(), batch.times.end());
  EXPECT_EQ(moved, (std::vector<uint64_t>{0, 10, 20, 20, 520, 530}));
  EXPECT_EQ(reader.subtracted(), 30u);
  EXPECT_EQ(reader.recorded(), 60u);
  EXPECT_DOUBLE_EQ(reader.subtractedShare(), 1);
}

/// Of a clock that shows thousands: 4000 calls of 2 within 1, and a wait of 5 milliseconds in the
/// last one. `still`: the clock stands still up to there.
struct Coarse {
  ProbeCost probe{10240, 10240};
  std::vector<uint64_t> times{0};
  std::vector<int32_t> ids{1};
  explicit Coarse(bool still) {
    for (uint64_t i = 1; i <= 4000; ++i) {
      uint64_t begin = still ? 0 : i * 30 / 1000 * 1000;
      uint64_t end = still ? 0 : (i * 30 + 15) / 1000 * 1000;
      times.insert(times.end(), {begin, i == 4000 ? end + 5000000 : end});
      ids.insert(ids.end(), {2, -2});
    }
    times.push_back(times.back() + 1000);
    ids.push_back(-1);
  }
  std::unique_ptr<RecordReader> reader() const {
    return std::make_unique<TableReader>(probe, times, ids, 1000, TimeScale());
  }
};

TEST(ProbeSubtraction, Waits) {
  for (bool still : {false, true}) {
    SCOPED_TRACE(still);
    Coarse record(still);
    RecordingEffects effects = cantFail(recordingEffects(*record.reader()));
    EXPECT_EQ(effects.waits.areMost(), still);
    ProbeSubtraction reader(record.reader(), effects);
    RecordBatch batch;
    uint64_t last = 0;
    while (cantFail(reader.next(batch)))
      last = batch.times.back();
    EXPECT_EQ(reader.waits(), still ? 0u : 1u);
    // Some trace points were recorded since the last step.
    EXPECT_NEAR(double(reader.waited()), still ? 0 : 5000000, still ? 0 : 40);
    // Of the rest the trace points took a part.
    EXPECT_EQ(reader.recorded(), record.times.back() - reader.waited());
    EXPECT_EQ(reader.subtracted() == 0, still);
    EXPECT_EQ(last, record.times.back() - reader.waited() - reader.subtracted());
  }
}

// It was the clock that waited: meanwhile the program ran as long as its calls usually take.
TEST(ProbeSubtraction, WaitsOfTheClock) {
  Coarse record(false);
  // The last 400 of 4000 calls, each of which has two stretches of 15.
  size_t first = 1 + 3600 * 2;
  size_t last = record.times.size() - 2;
  for (size_t i = first; i < last; ++i)
    record.times[i] = record.times[first];
  RecordingEffects effects = cantFail(recordingEffects(*record.reader()));
  effects.range.cost = {};
  ProbeSubtraction reader(record.reader(), effects);
  RecordBatch batch;
  while (cantFail(reader.next(batch))) {
  }
  EXPECT_EQ(reader.waits(), 1u);
  uint64_t step = record.times[last] - record.times[last - 1];
  EXPECT_NEAR(double(step - reader.waited()), 800 * 15, 1000);
  EXPECT_EQ(reader.recorded(), record.times.back() - reader.waited());
}

// Each of them costs the function in whose stretch it shows; a wait is one.
TEST(ProbeSubtraction, StepsOfTheClock) {
  Coarse record(false);
  record.probe = {10240, 10240, 100 * 1024};
  RecordingEffects effects = cantFail(recordingEffects(*record.reader()));
  EXPECT_EQ(effects.step, 100u * 1024);
  effects.range.cost = {};
  ProbeSubtraction reader(record.reader(), effects);
  RecordBatch batch;
  while (cantFail(reader.next(batch))) {
  }
  EXPECT_EQ(reader.steps(), 122u);
  EXPECT_EQ(reader.costOfStep(), 100);
  // Of the wait little is left to pay with.
  EXPECT_NEAR(double(reader.subtracted()), 121 * 100, 50);
  // A clock that stands still says nothing.
  Coarse still(true);
  still.probe = record.probe;
  ProbeSubtraction guess(still.reader(), cantFail(recordingEffects(*still.reader())));
  while (cantFail(guess.next(batch))) {
  }
  EXPECT_EQ(guess.subtracted(), 0u);
}

// More is charged than small functions can have: what is left is what they take at least.
TEST(ProbeSubtraction, LeastWork) {
  Coarse record(false);
  RecordingEffects effects = cantFail(recordingEffects(*record.reader()));
  EXPECT_EQ(effects.leastWork, 1024u);
  effects.range.cost = {102400, 102400};
  effects.leastWork = 5 * 1024;
  ProbeSubtraction reader(record.reader(), effects);
  RecordBatch batch;
  while (cantFail(reader.next(batch))) {
  }
  EXPECT_NEAR(double(reader.recorded() - reader.subtracted()), 8000 * 5, 1000);
}

// Of a clock that is as fine as a trace point, a long call may be anything.
TEST(ProbeSubtraction, WaitsOfFineClocks) {
  Coarse record(false);
  for (size_t i = 0; i < record.times.size(); ++i)
    record.times[i] += 20 * i;
  EXPECT_EQ(cantFail(recordingEffects(*record.reader())).waits.leastOf(2), UINT64_MAX);
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
  ProbeSubtraction reader(std::move(inner), RecordingEffects());
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
