//===- SampleCountsTest.cpp - What samples have spent of further clocks ---===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordText.h"
#include "warpo/Recorder/record_blocks.h"
#include <functional>
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

std::string block(const std::function<void(warpo_block *)> &put) {
  std::vector<uint8_t> bytes(1 << 16);
  warpo_block block = warpo_block_in(bytes.data(), bytes.size());
  put(&block);
  return std::string(bytes.begin(), bytes.begin() + ptrdiff_t(warpo_finish_block(&block)));
}

std::string clock(uint64_t number, const char *name) {
  warpo_clock_fields fields{};
  fields.number = number;
  return block(
      [&](warpo_block *block) { warpo_begin_clock(block, &fields, warpo_text_from(name)); });
}

/// Clocks 1 to 3, of which 3 is called what no measure can be, and streams 0 and 1.
std::string start() {
  warpo_module_fields module{0, 7, {}, {}, {}};
  std::string bytes(WARPO_SIGNATURE, warpo_signature_size);
  bytes += clock(1, "bytes") + clock(2, "pages") + clock(3, "calls");
  bytes += block([&](warpo_block *block) { warpo_begin_module(block, &module, 0); });
  for (uint64_t number : {0, 1}) {
    warpo_stream_fields stream{number, 0, 0};
    bytes += block([&](warpo_block *block) { warpo_begin_stream(block, &stream, {}); });
  }
  return bytes;
}

std::string counts(uint64_t clock, ArrayRef<uint64_t> numbers, uint64_t base = 100,
                   uint64_t stream = 0) {
  return block([&](warpo_block *block) {
    warpo_begin_counts(block, stream, base, clock);
    for (uint64_t number : numbers)
      warpo_add_count(block, number);
  });
}

/// Two, of which the first is due 1 after `base` and has 5 of fuel.
std::string samples(uint64_t base = 100, uint64_t stream = 0) {
  warpo_samples_fields fields{};
  fields.stream = stream;
  fields.base = base;
  return block([&](warpo_block *block) {
    warpo_begin_samples(block, &fields);
    warpo_add_sample(block, 1, 5, 0);
    warpo_add_sample(block, 2, 0, 0);
  });
}

/// `time:bytes/pages/fuel` of each sample, and what was skipped.
std::string read(StringRef record, bool ahead = false) {
  auto reader = cantFail(openBytes(record, "warpo"));
  EXPECT_TRUE(!ahead || cantFail(reader->declareAhead()));
  std::string text;
  raw_string_ostream os(text);
  RecordBatch batch;
  while (cantFail(reader->next(batch))) {
    for (const StackSample &sample : batch.beside.samples)
      os << sample.time << ':' << sample.countsSince[0] << '/' << sample.countsSince[1] << '/'
         << sample.countsSince[2] << ' ';
    for (const RecordNote &note : batch.notes)
      if (note.kind == NoteKind::skippedBytes)
        os << '{' << note.count << "} ";
  }
  return text;
}

TEST(SampleCounts, standInFrontOfTheirSamples) {
  struct {
    const char *what;
    std::string blocks;
    const char *expected;
  } cases[] = {
      {"none", samples(), "101:0/0/5 103:0/0/0 "},
      {"of two clocks", counts(2, {0, 300}) + counts(1, {10, 11}) + samples(),
       "101:10/0/5 103:11/300/0 "},
      {"of one block alone", counts(1, {10, 11}) + samples() + samples(103),
       "101:10/0/5 103:11/0/0 104:0/0/5 106:0/0/0 "},
      {"of one of two that begin together", counts(1, {10, 11}) + samples() + samples(),
       "101:10/0/5 103:11/0/0 104:0/0/5 106:0/0/0 "},
      {"said again", counts(1, {1, 1}) + counts(1, {10, 11}) + samples(), "101:10/0/5 103:11/0/0 "},
      {"of another time", counts(1, {10, 11}, 99) + samples(), "101:0/0/5 103:0/0/0 "},
      {"of another stream", counts(1, {10, 11}, 100, 1) + samples(), "101:0/0/5 103:0/0/0 "},
      {"of a clock without a column", counts(3, {10}) + samples(), "101:0/0/5 103:0/0/0 "},
      {"of no clock", counts(9, {10, 11}) + samples(), "101:0/0/5 103:0/0/0 {12} "},
      {"too few", counts(1, {10}) + samples(), "101:10/0/5 {3} "},
      {"too many", counts(1, {10, 11, 12}) + samples(), "101:10/0/5 103:11/0/0 {0} "},
      {"too few, and others behind", counts(1, {10}) + samples() + samples(103),
       "101:10/0/5 {3} 104:0/0/5 106:0/0/0 "},
  };
  for (const auto &test : cases) {
    EXPECT_EQ(read(start() + test.blocks), test.expected) << test.what;
    EXPECT_EQ(read(start() + test.blocks, /*ahead=*/true), test.expected) << test.what;
  }
}

// The counts of such a clock are not shown, which must not happen silently.
TEST(SampleCounts, aClockWithoutAColumnIsDamage) {
  auto reader =
      cantFail(openBytes(start() + clock(4, "time") + clock(5, "fuel:a,b") + samples(), "warpo"));
  RecordBatch batch;
  std::string places;
  while (cantFail(reader->next(batch)))
    for (const RecordNote &note : batch.notes)
      if (note.kind == NoteKind::clockLeftOut)
        places += StringRef(note.place).split(": ").second.str() + " ";
  EXPECT_EQ(places, "'calls' 'time' 'fuel:a,b' ");
}

TEST(SampleCounts, aCutNumberIsNoneAtAll) {
  std::string whole = counts(1, {10, 300});
  // The last byte of 300 is missing.
  std::vector<uint8_t> cut(whole.begin(), whole.end() - 1);
  warpo_frame_block(cut.data(), warpo_block_counts, 0, cut.size() - warpo_block_header_size);
  EXPECT_EQ(read(start() + std::string(cut.begin(), cut.end()) + samples()), "101:10/0/5 {3} ");
}

} // namespace
