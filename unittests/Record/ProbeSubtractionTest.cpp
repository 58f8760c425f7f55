//===- ProbeSubtractionTest.cpp - Times without what recording took -------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeSubtraction.h"
#include "RecordText.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

/// Gives each entry in a batch of its own, so that what is carried over shows.
class TableReader : public RecordSource {
public:
  TableReader(ProbeCost probe, std::vector<uint64_t> times, std::vector<int32_t> ids)
      : probe_(probe), times_(std::move(times)), ids_(std::move(ids)) {
    addStream({});
  }
  ProbeCost probe() const override { return probe_; }
  Expected<bool> next(RecordBatch &batch) override {
    if (next_ == ids_.size())
      return false;
    batch = {0, ArrayRef(times_).slice(next_, 1), ArrayRef(ids_).slice(next_, 1), {}};
    ++next_;
    return true;
  }
  std::string placeOf(size_t) const override { return ""; }
  uint64_t bytesRead() const override { return 0; }
  std::optional<uint64_t> inputSize() const override { return std::nullopt; }

private:
  ProbeCost probe_;
  std::vector<uint64_t> times_;
  std::vector<int32_t> ids_;
  size_t next_ = 0;
};

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
       {100, 100, 100, 105},
       25,
       25.0 / 60},
      {"fractions add up",
       {1536, 1536},
       {0, 10, 20, 30, 40},
       {1, 2, 3, -3, -2},
       {0, 9, 17, 26, 34},
       6,
       1},
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
    ProbeSubtraction reader(std::make_unique<TableReader>(test.probe, test.times, test.ids));
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

// Each of its parts grows while the record is read.
TEST(ProbeSubtraction, HandsOnTheWholeHeader) {
  std::string text = "warpo-record: 1\nclocks: time, fuel\nentries:\n  - module: 1\n";
  for (int i = 0; i < 5000; ++i)
    text +=
        "  - sample: [" + std::to_string(i) + ", 1, 1, 16777216, \"" + std::to_string(i) + "\"]\n";
  text += "  - {module: 2, name: \"second\"}\n  - [9000, 1, 7]\n  - phase: [1, 2, \"run\"]\n";
  auto inner = cantFail(openBytes(text));
  const RecordHeader &expected = inner->header();
  ProbeSubtraction reader(std::move(inner));
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
