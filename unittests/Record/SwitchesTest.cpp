//===- SwitchesTest.cpp - Switches between stacks, sound and senseless ----===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomRecord.h"
#include "RecordText.h"
#include "warpo/Recorder/record_blocks.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

/// Two streams, numbered 0 and 1, with a call each, and one stack.
Written twoStreams() {
  Written record;
  RecordedModule &module = record.header.modules.emplace_back();
  module.id = 1;
  module.addFunction(16777216, "f");
  for (const char *name : {"", "task"})
    record.header.streams.push_back({1, name});
  record.header.stacks.push_back({0, 16777216, 1});
  for (StreamIndex stream : {0, 1}) {
    Written::Piece &piece = record.pieces.emplace_back();
    piece.stream = stream;
    piece.columns.times = {100, 200};
    piece.columns.ids = {16777216, -16777216};
  }
  // One that is sound, in front of which the stack is declared.
  record.header.switches.push_back({.kind = RecordedSwitch::Kind::starts,
                                    .stream = 0,
                                    .time = 50,
                                    .from = 0,
                                    .at = 50,
                                    .stack = 1});
  return record;
}

void append(std::string &bytes, uint64_t base, ArrayRef<uint8_t> switches) {
  std::vector<uint8_t> block(warpo_block_header_size + 8);
  warpo_put_fixed(block.data() + warpo_block_header_size, base, 8);
  block.insert(block.end(), switches.begin(), switches.end());
  warpo_frame_block(block.data(), warpo_block_switches, 0, block.size() - warpo_block_header_size);
  bytes.append(block.begin(), block.end());
}

/// `kind to@time from@at in stack` of all switches, and what was noted.
std::string switchesOf(StringRef bytes) {
  auto opened = openBytes(bytes, "warpo");
  if (!opened)
    return "{" + toString(opened.takeError()) + "}";
  RecordReader *reader = opened->get();
  std::string notes;
  RecordBatch batch;
  while (true) {
    auto more = reader->next(batch);
    if (!more)
      notes += " {" + toString(more.takeError()) + "}";
    if (!more || !*more)
      break;
    for (const RecordNote &note : batch.notes)
      notes += " {" + describe(note, reader->header().columns()) + "}";
  }
  std::string text;
  raw_string_ostream os(text);
  for (const RecordedSwitch &change : reader->header().switches)
    os << (text.empty() ? "" : " ") << unsigned(change.kind) << ' ' << change.stream << '@'
       << change.time << ' ' << change.from << '@' << change.at << " in " << change.stack << ';';
  return text + notes;
}

constexpr StringLiteral sound = "0 0@50 0@50 in 1;";

TEST(Switches, AreReadAsTheyWereWritten) {
  Written record = twoStreams();
  EXPECT_EQ(switchesOf(record.write()), sound);
  EXPECT_EQ(switchesOf(record.write(/*compress=*/true)), sound);
  auto add = [&](RecordedSwitch change) { record.header.switches.push_back(change); };
  add({.kind = RecordedSwitch::Kind::returns,
       .stream = 0,
       .time = 60,
       .from = 1,
       .at = 55,
       .stack = 0});
  add({.kind = RecordedSwitch::Kind::resumes,
       .stream = 1,
       .time = 70,
       .from = 0,
       .at = 70,
       .stack = 1});
  EXPECT_EQ(switchesOf(record.write()), sound.str() + " 2 0@60 1@55 in 0; 1 1@70 0@70 in 1;");
}

struct Case {
  const char *name;
  std::vector<uint8_t> block;
  /// What is there behind the sound one.
  const char *expected;
  bool isSound = false;
  uint64_t base = 100;
};
void PrintTo(const Case &test, std::ostream *os) { *os << test.name; }

class Hostile : public testing::TestWithParam<Case> {};

TEST_P(Hostile, SwitchesAreNoticed) {
  const Case &test = GetParam();
  std::string bytes = twoStreams().write();
  append(bytes, test.base, test.block);
  std::string found = switchesOf(bytes);
  EXPECT_EQ(StringRef(found).split('{').first.trim(), (sound + test.expected).str());
  EXPECT_EQ(found.find("no sense") == std::string::npos, test.isSound) << found;
}

const Case cases[] = {
    {"nothing", {}, "", true},
    {"unknownKind", {3, 1, 0, 0, 0, 0}, ""},
    {"hugeKind", {0x80, 0x80, 0x80, 0x80, 0x10, 1, 0, 0, 0, 0}, ""},
    {"unknownStream", {0, 2, 0, 0, 0, 0}, ""},
    {"unknownStarter", {0, 1, 0, 2, 0, 0}, ""},
    {"hugeStream", {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0}, ""},
    {"unknownStack", {0, 1, 0, 0, 0, 2}, ""},
    {"hugeStack", {0, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f}, ""},
    {"numberWithoutEnd", {0, 1, 0, 0, 0, 0x80}, ""},
    {"numberBeyond64Bits",
     {0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0},
     ""},
    {"timeBack", {0, 1, 9, 0, 9, 0, 0, 1, 8, 0, 9, 0}, " 0 1@109 0@109 in 0;"},
    {"starterBack", {0, 1, 9, 0, 9, 0, 0, 1, 9, 0, 8, 0}, " 0 1@109 0@109 in 0;"},
    {"backFromTheBlockBefore", {0, 1, 10, 0, 9, 0}, "", false, 40},
    {"ofOneStreamBack", {0, 1, 8, 1, 9, 0}, ""},
    {"baseThatWraps", {0, 1, 70, 0, 80, 0}, " 0 1@60 0@70 in 0;", true, UINT64_MAX - 9},
    {"cycle",
     {0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 2, 1, 2, 1},
     " 0 1@100 0@100 in 1; 0 0@101 1@101 in 1; 0 1@102 1@102 in 1;",
     true},
    {"behindASenselessOne",
     {0, 1, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0},
     " 0 1@100 0@100 in 0;"},
};
INSTANTIATE_TEST_SUITE_P(Switches, Hostile, testing::ValuesIn(cases),
                         [](const auto &test) { return std::string(test.param.name); });

// The switches before the cut are there, and the rest of the block is noticed.
TEST(Switches, AreReadUpToTheCut) {
  const std::vector<uint8_t> two = {0, 1, 0, 0, 0, 0, 1, 1, 7, 0, 7, 1};
  for (size_t size = 0; size <= two.size(); ++size) {
    std::string bytes = twoStreams().write();
    append(bytes, 100, ArrayRef(two).take_front(size));
    std::string found = switchesOf(bytes);
    std::string expected = sound.str() + (size >= 6 ? " 0 1@100 0@100 in 0;" : "") +
                           (size >= 12 ? " 1 1@107 0@107 in 1;" : "");
    EXPECT_EQ(StringRef(found).split('{').first.trim(), expected) << size;
    EXPECT_EQ(found.find("no sense") == std::string::npos, size % 6 == 0) << size << found;
  }
}

TEST(Switches, BlocksWithoutABaseAreNoticed) {
  for (size_t size = 0; size < 8; ++size) {
    std::vector<uint8_t> block(warpo_block_header_size + size);
    warpo_frame_block(block.data(), warpo_block_switches, 0, size);
    std::string bytes = twoStreams().write() + std::string(block.begin(), block.end());
    std::string found = switchesOf(bytes);
    EXPECT_NE(found.find("no sense"), std::string::npos) << size << found;
    EXPECT_EQ(found.find(sound.str()), 0u);
  }
}

// Of each length, and with one byte changed.
TEST(Switches, OfDamagedRecordsAreSoundOrMissing) {
  std::string whole = twoStreams().write();
  for (size_t at = warpo_signature_size; at < whole.size(); ++at)
    for (bool isCut : {true, false}) {
      std::string bytes = whole.substr(0, isCut ? at : whole.size());
      if (!isCut)
        bytes[at] = char(bytes[at] ^ 0x55);
      std::string found = switchesOf(bytes);
      StringRef switches = StringRef(found).split('{').first.trim();
      EXPECT_TRUE(switches.empty() || switches == sound) << at << found;
      EXPECT_NE(found, sound.str()) << at << " is not noticed";
    }
}

TEST(Switches, HaveAMaximum) {
  std::string bytes = twoStreams().write();
  constexpr size_t inBlock = 1 << 16;
  std::vector<uint8_t> switches;
  for (size_t i = 0; i < inBlock; ++i)
    switches.insert(switches.end(), {1, 1, 0, 0, 0, 0});
  // One is there already.
  constexpr size_t blocks = warpo_max_switches / inBlock;
  for (size_t i = 0; i < blocks; ++i)
    append(bytes, 100, switches);
  auto reader = cantFail(openBytes(bytes, "warpo"));
  RecordBatch batch;
  std::string notes;
  while (cantFail(reader->next(batch)))
    for (const RecordNote &note : batch.notes)
      notes += describe(note, reader->header().columns());
  EXPECT_EQ(reader->header().switches.size(), size_t(warpo_max_switches));
  EXPECT_NE(notes.find("no sense"), std::string::npos) << notes;
}

} // namespace
