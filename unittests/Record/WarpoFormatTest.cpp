//===- WarpoFormatTest.cpp - warpo's own record, whole and damaged --------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomRecord.h"
#include "RecordText.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Recorder/record_blocks.h"
#include "llvm/Support/Compression.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

void writeEntry(raw_ostream &os, uint64_t time, int32_t id, ArrayRef<uint64_t> fuel, size_t index) {
  os << time << ':' << id;
  if (!fuel.empty())
    os << '/' << fuel[index];
  os << ' ';
}

/// All entries and losses of a record, by stream: `time:id`, `time:id/fuel` and `{lost 3}`.
std::vector<std::string> contents(RecordReader &reader) {
  std::vector<std::string> streams;
  RecordBatch batch;
  while (cantFail(reader.next(batch))) {
    streams.resize(std::max<size_t>(streams.size(), batch.stream + 1));
    raw_string_ostream os(streams[batch.stream]);
    auto notes = batch.notes;
    auto notesUpTo = [&](size_t position) {
      for (; !notes.empty() && notes.front().position <= position; notes = notes.drop_front())
        os << '{' << describe(notes.front(), reader.header().columns()) << '}';
    };
    for (size_t i = 0; i < batch.size(); ++i) {
      notesUpTo(i);
      writeEntry(os, batch.times[i], batch.ids[i], batch.counts[0], i);
    }
    notesUpTo(batch.size());
  }
  return streams;
}

std::vector<std::string> contents(const Written &record) {
  std::vector<std::string> streams(record.header.streams.size());
  for (const Written::Piece &piece : record.pieces) {
    raw_string_ostream os(streams[piece.stream]);
    size_t note = 0;
    const RecordColumns &columns = piece.columns;
    for (size_t i = 0; i <= columns.ids.size(); ++i) {
      for (; note < columns.notes.size() && columns.notes[note].position == i; ++note)
        os << '{' << describe(columns.notes[note], record.header.columns()) << '}';
      if (i < columns.ids.size())
        writeEntry(os, columns.times[i], columns.ids[i], columns.counts[0], i);
    }
  }
  return streams;
}

class RoundTrip : public testing::TestWithParam<Shape> {};

TEST_P(RoundTrip, keepsEverything) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Written record = randomRecord(GetParam(), seed);
    for (bool compress : {false, true}) {
      if (compress && !compression::zstd::isAvailable())
        continue;
      auto reader = cantFail(openBytes(record.write(compress)));
      std::vector<std::string> read = contents(*reader);
      // The reader numbers streams as it meets them.
      std::vector<std::string> expected = contents(record);
      std::vector<std::string> sorted(expected.size());
      for (size_t i = 0; i < read.size(); ++i)
        sorted[reader->header().streams[i].thread] = read[i];
      EXPECT_TRUE(sorted == expected) << "seed " << seed << ", compress " << compress;
    }
  }
}

const Shape shapes[] = {
    {"sound", 1, 50000, 0, 0, 0, 8, false},
    {"manyStreams", 70, 50000, 0, 0, 0, 8, false},
    {"wrongEnds", 2, 20000, 30, 0, 0, 8, false},
    {"losses", 3, 20000, 0, 20, 0, 8, false},
    {"silences", 2, 20000, 0, 0, 5, 8, false},
    {"oddIds", 2, 20000, 0, 0, 0, 8, true},
    {"longNumbers", 2, 50000, 10, 2, 400, 8, false},
    {"longNumbersAndIds", 2, 50000, 10, 2, 900, 9, true},
    {"deeperThanAContext", 1, 50000, 1, 0, 0, 9, false},
    {"deeperThanCanBeKnown", 1, 400000, 0, 0, 0, 12, false},
    {"everything", 5, 50000, 10, 5, 3, 9, true},
    {"fuel", 2, 50000, 0, 0, 0, 8, false, 0, true},
    {"fuelAndLongNumbers", 2, 50000, 10, 2, 400, 8, false, 0, true},
    {"fuelAndSilences", 2, 20000, 0, 0, 5, 8, true, 0, true},
    {"fuelDeeperThanCanBeKnown", 1, 200000, 0, 0, 0, 12, false, 0, true},
    {"fuelAndEverything", 5, 50000, 10, 5, 3, 9, true, 0, true},
};
INSTANTIATE_TEST_SUITE_P(All, RoundTrip, testing::ValuesIn(shapes),
                         [](const auto &test) { return test.param.name; });

TEST(WarpoFormat, saysWhatItKnows) {
  Written record;
  record.header.origin = 77;
  record.header.wallClock = 1700000000000000000;
  record.probe = {1024, 2048, 4096};
  record.header.streams.push_back({9, "main", 4711});
  record.pieces.push_back({0, {}});
  record.pieces[0].columns.times = {80};
  record.pieces[0].columns.ids = {0x1000001};
  auto reader = cantFail(openBytes(record.write()));
  const RecordHeader &header = reader->header();
  EXPECT_EQ(header.measures[0].scale->toString(), "0.4");
  EXPECT_EQ(header.origin, 77u);
  EXPECT_EQ(header.wallClock, 1700000000000000000u);
  EXPECT_EQ(reader->probe().begin, 1024u);
  EXPECT_EQ(reader->probe().end, 2048u);
  EXPECT_EQ(reader->probe().step, 4096u);
  ASSERT_EQ(header.streams.size(), 1u);
  EXPECT_EQ(header.streams[0].moduleId, 9u);
  EXPECT_EQ(header.streams[0].name, "main");
  EXPECT_EQ(header.streams[0].thread, 4711u);
}

std::string smallRecord() { return randomRecord({"", 2, 5000, 0, 0, 0, 8, false}, 1).write(); }

/// Reads everything; returns how many entries there were, and what was noted.
std::pair<size_t, std::string> readDamaged(StringRef bytes) {
  auto reader = openBytes(bytes, "warpo");
  if (!reader)
    return {0, toString(reader.takeError())};
  size_t entries = 0;
  std::string notes;
  RecordBatch batch;
  while (true) {
    auto more = (*reader)->next(batch);
    if (!more)
      return {entries, toString(more.takeError())};
    if (!*more)
      return {entries, notes};
    entries += batch.size();
    for (const RecordNote &note : batch.notes)
      notes += describe(note, (*reader)->header().columns()) + "; ";
  }
}

TEST(WarpoFormat, keepsTheNameOfAModuleWithoutFunctions) {
  Written record;
  record.header.streams.push_back({7, ""});
  record.header.modules.emplace_back();
  record.header.modules.front().id = 7;
  record.header.modules.front().name = "app";
  record.pieces.resize(1);
  record.pieces[0].columns.times = {0, 5};
  record.pieces[0].columns.ids = {firstFunctionId, -firstFunctionId};
  auto reader = cantFail(openBytes(record.write()));
  ASSERT_EQ(reader->header().modules.size(), 1u);
  EXPECT_EQ(reader->header().modules.front().name, "app");
}

/// The numbers of the modules whose blocks have functions, in the order of the blocks.
std::vector<unsigned> modulesWithFunctions(StringRef bytes) {
  std::vector<unsigned> numbers;
  warpo_block_header header;
  for (bytes = bytes.drop_front(warpo_signature_size);
       !bytes.empty() && warpo_get_block_header(bytes.bytes_begin(), &header);
       bytes = bytes.drop_front(warpo_block_header_size + header.size))
    // Behind the number come the id, a name, a hash and a build id: here all of one byte.
    if (header.kind == warpo_block_module && bytes[warpo_block_header_size + 5] != 0)
      numbers.push_back(uint8_t(bytes[warpo_block_header_size]));
  return numbers;
}

// Sections of a mapping that does not distinguish modules are those of all.
TEST(WarpoFormat, lateNamesOfAllModulesAreInTheirOrder) {
  RecordHeader header;
  RecordColumns columns;
  columns.times = {0, 5};
  columns.ids = {firstFunctionId, -firstFunctionId};
  constexpr StreamIndex streams = 20;
  std::vector<unsigned> expected;
  for (StreamIndex stream = 0; stream < streams; ++stream) {
    header.streams.push_back({50 - stream, ""});
    expected.push_back(stream);
  }
  FunctionTable functions;
  std::string bytes;
  raw_string_ostream os(bytes);
  auto format = cantFail(warpo::Registry<RecordFormat>::create("warpo"));
  auto writer = cantFail(format->create(os, {header, functions}));
  for (StreamIndex stream = 0; stream < streams; ++stream)
    cantFail(writer->write(columns.batch(stream)));
  RecordedModule late;
  late.id = 99;
  late.functions = {{firstFunctionId + 1, 0, 4}};
  late.names = "late";
  functions.declareModule(0, late, late.functions);
  cantFail(writer->finish());
  EXPECT_EQ(modulesWithFunctions(bytes), expected);
}

TEST(WarpoFormat, aCutRecordIsReadAsFarAsItGoes) {
  std::string whole = smallRecord();
  size_t before = 0;
  for (size_t size = 0; size < warpo_signature_size; ++size)
    EXPECT_NE(readDamaged(StringRef(whole).take_front(size)).second, "") << "cut at " << size;
  for (size_t size = warpo_signature_size; size < whole.size(); size += 7) {
    auto [entries, notes] = readDamaged(StringRef(whole).take_front(size));
    EXPECT_FALSE(notes.empty()) << "cut at " << size;
    EXPECT_EQ(notes.find("no sense"), std::string::npos) << notes << "cut at " << size;
    EXPECT_GE(entries, before) << "cut at " << size;
    before = entries;
  }
  EXPECT_EQ(readDamaged(whole), std::make_pair(size_t(5000), std::string()));
}

TEST(WarpoFormat, eachChangedByteIsNoticed) {
  std::string whole = smallRecord();
  for (size_t at = 0; at < whole.size(); at += 3) {
    std::string damaged = whole;
    damaged[at] = char(damaged[at] ^ 0x40);
    auto [entries, notes] = readDamaged(damaged);
    EXPECT_FALSE(notes.empty()) << "byte " << at;
  }
}

TEST(WarpoFormat, damageCostsItsBlockAlone) {
  Written record = randomRecord({"", 1, 100000, 0, 0, 0, 8, false}, 3);
  std::string whole = record.write();
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 1;
  auto [entries, notes] = readDamaged(damaged);
  EXPECT_GT(entries, 60000u);
  EXPECT_LT(entries, 100000u);
  EXPECT_NE(notes.find("bytes that make no sense"), std::string::npos) << notes;
  EXPECT_NE(notes.find("gap of unknown length"), std::string::npos) << notes;
  EXPECT_EQ(notes.find("not closed"), std::string::npos) << notes;
}

// Blocks whose check is right and whose contents are not.
std::string withEvents(ArrayRef<uint8_t> events) {
  Written record = randomRecord({"", 1, 10, 0, 0, 0, 16, false}, 1);
  std::string bytes = record.write();
  std::vector<uint8_t> block(warpo_block_header_size);
  block.insert(block.end(), {0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 1});
  block.insert(block.end(), events.begin(), events.end());
  warpo_frame_block(block.data(), warpo_block_events, 0, block.size() - warpo_block_header_size);
  return bytes + std::string(block.begin(), block.end());
}

TEST(WarpoFormat, senselessEventsAreNoticed) {
  struct {
    const char *name;
    std::vector<uint8_t> events;
  } cases[] = {
      {"an end without a known call", {3}},
      {"a function that is cut off", {2}},
      {"a delta that is cut off", {0x80}},
      {"a delta of more than 64 bits",
       {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1}},
      {"a time beyond 2^64", {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1, //
                              0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1, //
                              0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1}},
      {"a special that is cut off", {2, 0, 2, 5, 1}},
      {"an end of no function", {2, 0, 1, 1, 0}},
      {"a loss without fields", {2, 0, 2, 0}},
      {"a function code beyond 2^31", {2, 0xff, 0xff, 0xff, 0xff, 0x0f}},
  };
  for (const auto &testCase : cases) {
    auto [entries, notes] = readDamaged(withEvents(testCase.events));
    EXPECT_GE(entries, 10u) << testCase.name;
    EXPECT_NE(notes.find("no sense"), std::string::npos) << testCase.name << notes;
  }
}

TEST(WarpoFormat, unknownSpecialsAndBlocksAreSkipped) {
  auto [entries, notes] = readDamaged(withEvents({2, 0, 99, 3, 1, 2, 3, 2, 1, 3}));
  EXPECT_EQ(entries, 12u);
  EXPECT_EQ(notes, "");
  std::string bytes = smallRecord();
  uint8_t block[warpo_block_header_size + 3] = {};
  warpo_frame_block(block, warpo_block_kind(200), 0, 3);
  bytes.append(reinterpret_cast<char *>(block), sizeof(block));
  EXPECT_EQ(readDamaged(bytes), std::make_pair(size_t(5000), std::string()));
}

/// A record of blocks of samples of one stream: each of a base and one step.
std::string withSamples(ArrayRef<std::pair<int64_t, uint8_t>> blocks) {
  std::string bytes = randomRecord({"", 1, 10, 0, 0, 0, 16, false}, 1).write();
  for (auto [base, step] : blocks) {
    std::vector<uint8_t> block(warpo_block_header_size + 3 + 16);
    warpo_put_fixed(block.data() + warpo_block_header_size + 3, uint64_t(base), 8);
    block.insert(block.end(), {step, 0, 0});
    warpo_frame_block(block.data(), warpo_block_samples, 0, block.size() - warpo_block_header_size);
    bytes.append(block.begin(), block.end());
  }
  return bytes;
}

/// `time-since`, of all samples, and what was noted.
std::string samplesOf(StringRef bytes) {
  auto reader = cantFail(openBytes(bytes, "warpo"));
  std::string text;
  raw_string_ostream os(text);
  RecordBatch batch;
  while (cantFail(reader->next(batch))) {
    for (const RecordNote &note : batch.notes)
      os << '{' << describe(note, reader->header().columns()) << "} ";
    for (const StackSample &sample : batch.beside.samples)
      os << sample.time << '-' << sample.timeSince << ' ';
  }
  return text;
}

TEST(WarpoFormat, whatSamplesSpeakOfMayBeginBeforeTheClock) {
  EXPECT_EQ(samplesOf(withSamples({{-5, 15}, {10, 20}})), "10-15 30-20 ");
  EXPECT_EQ(samplesOf(withSamples({{-5, 15}, {-5, 20}})),
            "10-15 {1 entry whose time goes back, by 15 counts} 30-20 ");
  EXPECT_EQ(StackSample({.time = 10, .timeSince = 15}).begin(), 0u);
  // No sample is taken there.
  std::string early = samplesOf(withSamples({{-50, 15}, {-5, 20}}));
  EXPECT_NE(early.find("3 bytes that make no sense"), std::string::npos) << early;
  EXPECT_NE(early.find("15-20"), std::string::npos) << early;
}

TEST(WarpoFormat, keepsTheTimeBetweenSamples) {
  Written record;
  record.header.streams.push_back({1, ""});
  record.pieces.resize(1);
  record.pieces[0].columns.beside.samples = {{.time = 10, .timeSince = 4},
                                             {.time = 15, .timeSince = 5},
                                             {.time = 100, .timeSince = 5},
                                             {.time = 105, .timeSince = 2}};
  EXPECT_EQ(samplesOf(record.write()), "10-4 15-5 100-5 105-2 ");
}

TEST(Crc32c, hasThePublishedValue) {
  // RFC 3720, B.4.
  uint8_t zeros[32] = {};
  EXPECT_EQ(warpo_crc32c(0, "123456789", 9), 0xe3069283u);
  EXPECT_EQ(warpo_crc32c(0, zeros, sizeof(zeros)), 0x8a9136aau);
  uint32_t inPieces = warpo_crc32c(warpo_crc32c(0, "12345", 5), "6789", 4);
  EXPECT_EQ(inPieces, 0xe3069283u);
}

} // namespace
