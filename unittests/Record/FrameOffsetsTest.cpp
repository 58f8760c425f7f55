//===- FrameOffsetsTest.cpp - Where the frames of stacks were executing ---===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordText.h"
#include "warpo/Places/ModulePlaces.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/MergedRecord.h"
#include "warpo/Recorder/record_blocks.h"
#include <functional>
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

constexpr int32_t f = 0x1000000, g = 0x1000001;

std::string block(const std::function<void(warpo_block *)> &put) {
  std::vector<uint8_t> bytes(1 << 20);
  warpo_block block = warpo_block_in(bytes.data(), bytes.size());
  put(&block);
  return std::string(bytes.begin(), bytes.begin() + ptrdiff_t(warpo_finish_block(&block)));
}

warpo_text textOf(StringRef text) { return warpo_text_of(text.data(), text.size()); }

/// f at 10 to 20 and g at 20 to 30, each moved by 5 more; the code begins at 100 in the file.
ModulePlaces places() {
  ModulePlaces places;
  FunctionPlaces function;
  for (int32_t id : {f, g}) {
    function.id = id;
    function.index = uint32_t(id - f);
    function.start = 10 + 10 * function.index;
    function.size = 10;
    places.functions.push_back(function);
    places.map.add(function.start + 5 * (function.index + 1), function.start);
  }
  places.map.code = 100;
  places.map.end = 60;
  return places;
}

std::string placesOf(uint64_t module, ModulePlaces places) {
  std::string contents = toStringRef(encodePlaces(std::move(places)).bytes).str();
  return block([&](warpo_block *block) { warpo_put_places(block, module, textOf(contents)); });
}

std::string moduleOf(uint64_t number) {
  warpo_module_fields fields{number, number + 7, textOf("m"), {}, {}};
  return block([&](warpo_block *block) { warpo_begin_module(block, &fields, 0); });
}

std::string start() {
  warpo_stream_fields stream{0, 0, 0};
  return std::string(WARPO_SIGNATURE, warpo_signature_size) + moduleOf(0) + moduleOf(1) +
         placesOf(0, places()) +
         block([&](warpo_block *block) { warpo_begin_stream(block, &stream, textOf("samples")); });
}

struct Place {
  uint32_t offset;
  bool isOriginal = false;
};
std::string offsets(uint64_t first, ArrayRef<Place> places) {
  return block([&](warpo_block *block) {
    warpo_begin_offsets(block, first);
    for (const Place &place : places)
      warpo_add_offset(block, place.offset, place.isOriginal);
  });
}

struct Frame {
  int32_t id;
  uint64_t module = 0;
};
/// Each in the one before.
std::string stacks(uint64_t first, ArrayRef<Frame> frames) {
  return block([&](warpo_block *block) {
    warpo_begin_stacks(block, first);
    for (auto [index, frame] : enumerate(frames))
      warpo_add_stack(block, first + index - 1, frame.module, frame.id);
  });
}

/// One that begins at this time.
std::string samples(uint64_t stack, uint64_t begin = 0) {
  warpo_samples_fields fields{};
  fields.base = begin;
  return block([&](warpo_block *block) {
    warpo_begin_samples(block, &fields);
    warpo_add_sample(block, 5, 0, stack);
  });
}

/// Of each stack, and the notes that are no missing end.
std::string offsetsOf(StringRef record) {
  auto reader = cantFail(openBytes(record, "warpo"));
  std::string text;
  raw_string_ostream os(text);
  RecordBatch batch;
  std::string notes;
  while (cantFail(reader->next(batch)))
    for (const RecordNote &note : batch.notes)
      if (note.kind != NoteKind::notClosed)
        notes += " {" + std::to_string(note.count) + "}";
  for (const RecordedStack &stack : ArrayRef(reader->header().stacks).drop_front())
    os << (text.empty() ? "" : " ") << stack.offset;
  return text + notes;
}

TEST(FrameOffsets, AreThoseOfTheOriginal) {
  std::vector<Frame> frames(8, {f});
  frames[3] = {g};
  frames[7] = {f | 0x100000}; // entered through a reference
  EXPECT_EQ(offsetsOf(start() +
                      offsets(1, {{115}, {117}, {124}, {131}, {131}, {0}, {77, true}, {116}}) +
                      stacks(1, frames) + samples(8)),
            "10 12 19 21 21 0 77 11");
  // Outside of the map, and the largest that can be told.
  EXPECT_EQ(offsetsOf(start() + offsets(1, {{99}, {114}, {161}, {UINT32_MAX}, {UINT32_MAX, true}}) +
                      stacks(1, std::vector<Frame>(5, {f})) + samples(5)),
            "0 0 0 0 4294967295");
  // Of a module without places.
  EXPECT_EQ(
      offsetsOf(start() + offsets(1, {{115}, {115}}) + stacks(1, {{f, 1}, {f, 0}}) + samples(2)),
      "0 10");
}

TEST(FrameOffsets, AreAsTheLatestPlacesHaveThem) {
  ModulePlaces moved = places(), without = places();
  moved.map.code = 101;
  without.map = CodeMap();
  auto one = [](uint64_t number) { return offsets(number, {{115}}) + stacks(number, {{f}}); };
  EXPECT_EQ(offsetsOf(start() + one(1) + placesOf(0, moved) + one(2) + placesOf(0, without) +
                      one(3) + samples(3)),
            "10 0 0");
  EXPECT_EQ(
      offsetsOf(start() + placesOf(0, moved) + offsets(1, {{116}}) + stacks(1, {{f}}) + samples(1)),
      "10");
}

TEST(FrameOffsets, SpeakOfTheNextStacksAlone) {
  // Some of them, none of them, and further ones.
  EXPECT_EQ(offsetsOf(start() + offsets(2, {{115}}) + stacks(1, {{f}, {f}, {f}}) +
                      stacks(4, {{f}}) + samples(4)),
            "0 10 0 0");
  EXPECT_EQ(offsetsOf(start() + offsets(9, {{115}}) + stacks(1, {{f}}) + samples(1)), "0");
  EXPECT_EQ(offsetsOf(start() + offsets(1, {{115}, {116}, {117}}) + stacks(1, {{f}, {f}}) +
                      stacks(3, {{f}}) + samples(3)),
            "10 11 0");
  EXPECT_EQ(offsetsOf(start() + offsets(1, {{115}}) + offsets(2, {{116}}) + stacks(1, {{f}, {f}}) +
                      samples(2)),
            "0 11");
  EXPECT_EQ(offsetsOf(start() + offsets(3, {{115}, {116}}) + stacks(1, {{f}, {f}, {f}, {f}}) +
                      samples(4)),
            "0 0 10 11");
}

TEST(FrameOffsets, ThatMakeNoSenseAreDamage) {
  std::string huge = block([](warpo_block *block) {
    warpo_begin_offsets(block, 1);
    warpo_add_offset(block, 115, false);
    block->size += size_t(warpo_put_u(block->bytes + block->size, uint64_t(1) << 33) -
                          (block->bytes + block->size));
    warpo_add_offset(block, 116, false);
  });
  EXPECT_EQ(offsetsOf(start() + huge + stacks(1, {{f}, {f}, {f}}) + samples(3)), "10 0 0 {10}");
  std::string cut = offsets(1, {{115}, {1 << 20}});
  cut.pop_back();
  warpo_frame_block(reinterpret_cast<uint8_t *>(cut.data()), warpo_block_offsets, 0,
                    cut.size() - warpo_block_header_size);
  EXPECT_EQ(offsetsOf(start() + cut + stacks(1, {{f}, {f}}) + samples(2)), "10 0 {6}");
  std::string empty = block([](warpo_block *block) { warpo_begin_offsets(block, 1); });
  EXPECT_EQ(offsetsOf(start() + empty + stacks(1, {{f}}) + samples(1)), "0");
}

TEST(FrameOffsets, AreCopiedWithTheirStacks) {
  std::string record = start() + offsets(2, {{115}, {0}, {131}, {33, true}}) +
                       stacks(1, {{f}, {f}, {g}, {g}, {f}, {f}}) + samples(6) + samples(2, 5);
  ASSERT_EQ(offsetsOf(record), "0 10 0 21 33 0");
  FunctionTable functions;
  std::string copied = convert(record, "warpo", functions);
  EXPECT_EQ(offsetsOf(copied), "0 10 0 21 33 0");
  std::string yaml = convert(record, "yaml", functions);
  EXPECT_NE(yaml.find(", 16777216, [16777216, 10], 16777217, [16777217, 21], [16777216, 33], "
                      "16777216]"),
            std::string::npos)
      << yaml;
  EXPECT_EQ(convert(yaml, "yaml", functions), yaml);
  EXPECT_EQ(convert(copied, "yaml", functions), yaml);
}

TEST(FrameOffsets, AreKeptWhereRecordsAreMerged) {
  std::vector<MergedRecord::Part> parts;
  for (StringRef name : {"a", "b"})
    parts.push_back({cantFail(openBytes(start() + offsets(1, {{115}, {131}}) +
                                        stacks(1, {{f}, {g}}) + samples(2))),
                     name.str(), TimeScale()});
  auto merged = cantFail(MergedRecord::create(std::move(parts)));
  RecordBatch batch;
  while (cantFail(merged->next(batch)))
    ;
  std::vector<uint32_t> found;
  for (const RecordedStack &stack : merged->header().stacks)
    found.push_back(stack.offset);
  EXPECT_EQ(found, (std::vector<uint32_t>{0, 10, 21, 10, 21}));
}

} // namespace
