//===- IndexedWindowTest.cpp - A window by the index, and by reading all --===//
// SPDX-License-Identifier: Apache-2.0

#include "../Record/RandomRecord.h"
#include "../Record/RecordText.h"
#include "warpo/Recorder/record_blocks.h"
#include "warpo/Slice/EventWindow.h"
#include "warpo/Slice/Slicing.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/LEB128.h"
#include <gtest/gtest.h>
#include <map>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

/// Events as text, by stream.
class TextSink : public CallSink {
public:
  explicit TextSink(const FunctionTable &functions) : functions_(functions) {}

  Error events(const EventBatch &batch) override {
    raw_string_ostream os(streams[batch.stream]);
    ArrayRef<LostRange> lost = batch.lost;
    for (size_t i = 0; i <= batch.events.size(); ++i) {
      for (const LostRange &range : takeUpTo(lost, i))
        os << "lost " << range.count << " from " << range.from << " to " << range.to << '\n';
      if (i == batch.events.size())
        break;
      const Event &event = batch.events[i];
      os << event.time << ' ' << int(event.kind) << ' ' << functions_[event.function].id;
      os << ' ' << batch.counts.at(i)[0] << '\n';
    }
    return Error::success();
  }
  Error finish() override { return Error::success(); }

  std::map<StreamIndex, std::string> streams;

private:
  const FunctionTable &functions_;
};

struct Cut {
  std::map<StreamIndex, std::string> streams;
  SlicingResult result;
  bool byIndex = false;
  std::vector<std::string> damage;
  size_t declared = 0;
};

Cut cut(StringRef bytes, StringRef slicerName, WindowLimits limits, bool byIndex) {
  auto reader = cantFail(openBytes(bytes));
  auto slicer = cantFail(warpo::Registry<Slicer>::create(slicerName));
  byIndex = byIndex && slicer->needsOpenCallsOnly(reader->header());
  limits.start =
      cantFail(byIndex ? reader->keepOnly(limits.from.value_or(0), limits.to.value_or(UINT64_MAX))
                       : reader->keepOnly(0, UINT64_MAX));
  FunctionTable functions;
  TextSink text(functions);
  EventWindow window(limits, text);
  DamageReport damage;
  Cut made;
  made.result = cantFail(sliceRecord(*reader, functions, *slicer, window, damage,
                                     [](const RecordBatch &) { return Error::success(); },
                                     {.start = limits.start, .mayEndEarly = byIndex && limits.to}));
  made.streams = std::move(text.streams);
  made.byIndex = byIndex && limits.start.has_value();
  made.damage = damage.messages();
  made.declared = reader->header().streams.size();
  return made;
}

/// The time between the first and the last entry.
uint64_t lengthOf(const Written &record) {
  uint64_t last = 0;
  for (const Written::Piece &piece : record.pieces)
    last = std::max(last, piece.columns.times.back());
  return last - record.pieces.front().columns.times.front();
}

class IndexedWindow : public testing::TestWithParam<Shape> {};

TEST_P(IndexedWindow, isThatOfReadingAll) {
  for (bool compress : {false, true}) {
    if (compress && !compression::zstd::isAvailable())
      continue;
    Written record = randomRecord(GetParam(), 7 + compress);
    std::string bytes = record.write(compress);
    uint64_t length = lengthOf(record);
    std::mt19937_64 random(compress);
    for (int i = 0; i < 8; ++i) {
      WindowLimits limits;
      limits.from = random() % (length + 1);
      limits.to = *limits.from + random() % (length / (i % 3 == 0 ? 100 : 2) + 1);
      if (i % 4 == 1)
        limits.from.reset();
      if (i % 4 == 2)
        limits.to.reset();
      StringRef slicer = i % 5 == 4 ? "host-calls" : "calls";
      Cut all = cut(bytes, slicer, limits, false);
      Cut some = cut(bytes, slicer, limits, true);
      EXPECT_EQ(some.byIndex, slicer == "calls" || !GetParam().hasFuel);
      EXPECT_EQ(some.declared, all.declared);
      EXPECT_LE(some.result.entries, all.result.entries);
      EXPECT_TRUE(some.streams == all.streams)
          << "from " << limits.from.value_or(0) << " to " << limits.to.value_or(UINT64_MAX)
          << ", compress " << compress;
    }
  }
}

const Shape shapes[] = {
    {"sound", 1, 200000, 0, 0, 0, 7, false, 3},
    {"streams", 3, 300000, 0, 0, 0, 7, false, 4},
    {"manyStreams", 70, 300000, 0, 0, 0, 7, false, 4},
    {"wrongEnds", 2, 200000, 1, 0, 0, 8, false},
    {"lateLosses", 3, 300000, 0, 1, 0, 8, false},
    {"silences", 2, 200000, 0, 0, 2, 7, false},
    {"deep", 1, 200000, 0, 0, 0, 9, false},
    {"fuel", 2, 150000, 0, 0, 0, 7, false, 3, true},
};
INSTANTIATE_TEST_SUITE_P(All, IndexedWindow, testing::ValuesIn(shapes),
                         [](const auto &test) { return test.param.name; });

/// Without an index its start is known too: it is the first entry.
std::string soundRecord(bool compress = false) {
  Written record = randomRecord({"", 2, 400000, 0, 0, 0, 7, false, 2}, 3);
  record.pieces.front().columns.times.front() = 0;
  return record.write(compress);
}

TEST(IndexedWindow, leavesOutWhatItDoesNotNeed) {
  WindowLimits limits;
  limits.from = 10000000;
  limits.to = *limits.from + 1000;
  Cut some = cut(soundRecord(), "calls", limits, true);
  EXPECT_LT(some.result.entries, 150000u);
  EXPECT_GT(some.result.entries, 0u);
}

/// The record's last block, with the offset of the index, with another one.
void setIndexOffset(std::string &bytes, uint64_t offset) {
  constexpr size_t payload = 24;
  auto *end =
      reinterpret_cast<uint8_t *>(bytes.data()) + bytes.size() - payload - warpo_block_header_size;
  warpo_put_fixed(end + warpo_block_header_size, offset, 8);
  warpo_frame_block(end, warpo_block_end, 0, payload);
}
uint64_t indexOffset(StringRef bytes) {
  uint64_t offset = 0;
  for (unsigned i = 0; i < 8; ++i)
    offset |= uint64_t(uint8_t(bytes[bytes.size() - 24 + i])) << (8 * i);
  return offset;
}

// The window is told from the record's first time on, whatever that is.
TEST(IndexedWindow, countsFromTheFirstTime) {
  Written record = randomRecord({"", 1, 200000, 0, 0, 0, 7, false, 2}, 3);
  for (Written::Piece &piece : record.pieces)
    for (uint64_t &time : piece.columns.times)
      time += uint64_t(1) << 40;
  WindowLimits limits;
  limits.from = 10000000;
  limits.to = *limits.from + 1000;
  Cut some = cut(record.write(), "calls", limits, true);
  EXPECT_LT(some.result.entries, 75000u);
  EXPECT_GT(some.result.entries, 0u);
}

// Each stream writes a block when it has enough for one, so that a later one may stand first.
TEST(IndexedWindow, countsFromTheEarliestTimeWhereverItStands) {
  Written record = randomRecord({"", 2, 100000, 0, 0, 0, 7, false, 2}, 5);
  for (Written::Piece &piece : record.pieces)
    for (uint64_t &time : piece.columns.times)
      time += piece.stream * 2000000;
  llvm::sort(record.pieces, [](const Written::Piece &a, const Written::Piece &b) {
    return std::pair(a.stream, a.columns.times.front()) <
           std::pair(b.stream, b.columns.times.front());
  });
  Written later = record;
  std::rotate(later.pieces.begin(),
              find_if(later.pieces, [](const auto &piece) { return piece.stream == 1; }),
              later.pieces.end());
  WindowLimits limits;
  limits.from = 3000000;
  limits.to = *limits.from + 100000;
  Cut expected = cut(record.write(), "calls", limits, true);
  Cut moved = cut(later.write(), "calls", limits, true);
  EXPECT_TRUE(moved.byIndex);
  // They are numbered as they stand in the file.
  ASSERT_EQ(moved.streams.size(), 2u);
  EXPECT_TRUE(moved.streams[0] == expected.streams[1]);
  EXPECT_TRUE(moved.streams[1] == expected.streams[0]);
  // That of a record of which nothing is left out.
  EXPECT_EQ(cut(later.write(), "calls", {}, false).result.firstTime,
            record.pieces.front().columns.times.front());
}

// Where many entries have one time, blocks end in the middle of it.
TEST(IndexedWindow, holdsAllThatHappensAtItsEdges) {
  Written record = randomRecord({"", 1, 100000, 0, 0, 0, 7, false, 2}, 11);
  for (Written::Piece &piece : record.pieces)
    for (uint64_t &time : piece.columns.times)
      time -= time % 1000000;
  std::string bytes = record.write();
  for (uint64_t at = 0; at <= lengthOf(record); at += 1000000) {
    WindowLimits limits;
    limits.from = limits.to = at;
    Cut all = cut(bytes, "calls", limits, false);
    Cut some = cut(bytes, "calls", limits, true);
    EXPECT_TRUE(some.byIndex);
    EXPECT_TRUE(some.streams == all.streams) << at;
  }
}

TEST(IndexedWindow, withoutAnIndexAllIsRead) {
  WindowLimits limits;
  limits.from = 10000000;
  std::string bytes = soundRecord();
  Cut all = cut(bytes, "calls", limits, false);
  setIndexOffset(bytes, 0);
  Cut some = cut(bytes, "calls", limits, true);
  EXPECT_FALSE(some.byIndex);
  EXPECT_TRUE(some.damage.empty());
  EXPECT_TRUE(some.streams == all.streams);
}

// The index's block is whole, so that nothing but its contents can tell.
TEST(IndexedWindow, anIndexThatDoesNotFitIsNotBelieved) {
  WindowLimits limits;
  limits.from = 10000000;
  const std::string sound = soundRecord();
  Cut all = cut(sound, "calls", limits, false);
  uint64_t place = indexOffset(sound);
  auto payload = size_t(place) + warpo_block_header_size;
  size_t size = sound.size() - 24 - warpo_block_header_size - payload;
  struct {
    const char *name;
    std::function<void(std::string &)> damage;
    const char *place;
  } cases[] = {
      {"no index there", [&](std::string &bytes) { setIndexOffset(bytes, 8); }, "in:0x8"},
      {"behind the end", [&](std::string &bytes) { setIndexOffset(bytes, bytes.size()); }, "in:0x"},
      {"far behind", [&](std::string &bytes) { setIndexOffset(bytes, UINT64_MAX); }, "in:0x"},
      {"one entry fewer", [&](std::string &bytes) { --bytes[payload]; }, "in:0x"},
      {"one entry more", [&](std::string &bytes) { ++bytes[payload]; }, "in:0x"},
      {"another offset", [&](std::string &bytes) { bytes[payload + 1] ^= 1; }, "in:0x"},
  };
  for (const auto &testCase : cases) {
    std::string bytes = sound;
    testCase.damage(bytes);
    warpo_frame_block(reinterpret_cast<uint8_t *>(bytes.data()) + place, warpo_block_index, 0,
                      size);
    Cut some = cut(bytes, "calls", limits, true);
    EXPECT_FALSE(some.byIndex) << testCase.name;
    ASSERT_EQ(some.damage.size(), 1u) << testCase.name;
    EXPECT_NE(some.damage[0].find(
                  "1 index of blocks that does not match its record: everything was read"),
              std::string::npos)
        << testCase.name << ": " << some.damage[0];
    EXPECT_EQ(some.damage[0].find(testCase.place), 0u) << some.damage[0];
    EXPECT_TRUE(some.streams == all.streams) << testCase.name;
  }
}

// The last block of a window may end between a trap and the end of its call.
TEST(IndexedWindow, trapsAtItsEndAreNoDamage) {
  Written record;
  record.header.streams.push_back({1, ""});
  std::mt19937_64 random(1);
  for (uint64_t time = 0; time < 300000;) {
    RecordColumns columns;
    // Now and then one trap more, so that blocks end at different places.
    for (int call = 0; call < 1000; ++call) {
      std::vector<int32_t> ids{firstFunctionId, trapId, -firstFunctionId};
      if (random() % 10 == 0)
        ids.insert(ids.begin() + 1, trapId);
      for (int32_t id : ids) {
        columns.times.push_back(time++);
        columns.ids.push_back(id);
      }
    }
    record.pieces.push_back({0, std::move(columns)});
  }
  std::string bytes = record.write();
  for (uint64_t to = 0; to < 300000; to += 5000) {
    WindowLimits limits;
    limits.to = to;
    EXPECT_EQ(cut(bytes, "calls", limits, true).damage, std::vector<std::string>()) << to;
  }
}

TEST(IndexedWindow, streamsOfTheIndexAreThoseOfItsBlocks) {
  WindowLimits limits;
  limits.from = 10000000;
  for (bool compress : {false, true}) {
    if (compress && !compression::zstd::isAvailable())
      continue;
    std::string bytes = soundRecord(compress);
    Cut all = cut(bytes, "calls", limits, false);
    EXPECT_TRUE(cut(bytes, "calls", limits, true).byIndex);
    auto place = size_t(indexOffset(bytes));
    auto *block = reinterpret_cast<uint8_t *>(bytes.data()) + place;
    auto *at = block + warpo_block_header_size;
    auto next = [&] {
      unsigned size = 0;
      uint64_t number = decodeULEB128(at, &size);
      at += size;
      return number;
    };
    // Each entry says that its block is of the other one of the two streams.
    for (uint64_t entries = next(); entries > 0; --entries) {
      next();
      ASSERT_LT(*at, 2);
      *at ^= 1;
      for (unsigned number = 0; number < 3; ++number)
        next();
    }
    warpo_frame_block(block, warpo_block_index, 0, size_t(at - block) - warpo_block_header_size);
    Cut some = cut(bytes, "calls", limits, true);
    EXPECT_FALSE(some.byIndex) << compress;
    ASSERT_EQ(some.damage.size(), 1u) << compress;
    EXPECT_NE(some.damage[0].find("index of blocks that does not match"), std::string::npos);
    EXPECT_TRUE(some.streams == all.streams) << compress;
  }
}

// Times of an index, and streams of compressed blocks, cannot all be checked but by reading all:
// they may only cost events.
TEST(IndexedWindow, anIndexThatLiesIsHarmless) {
  WindowLimits limits;
  limits.from = 2000000;
  limits.to = 2500000;
  const std::string sound = randomRecord({"", 3, 90000, 0, 0, 0, 7, false, 2}, 5).write();
  size_t entries = cut(sound, "calls", limits, false).result.entries;
  auto place = size_t(indexOffset(sound));
  size_t payload = place + warpo_block_header_size;
  size_t size = sound.size() - 24 - warpo_block_header_size - payload;
  for (size_t at = 0; at < size; ++at) {
    std::string bytes = sound;
    bytes[payload + at] = char(bytes[payload + at] ^ 1 << at % 8);
    warpo_frame_block(reinterpret_cast<uint8_t *>(bytes.data()) + place, warpo_block_index, 0,
                      size);
    Cut some = cut(bytes, "calls", limits, true);
    EXPECT_LE(some.result.entries, entries + 3 * 256);
  }
}

TEST(IndexedWindow, damageWithinTheWindowIsReported) {
  std::string bytes = soundRecord();
  WindowLimits limits;
  limits.from = 0;
  bytes[bytes.size() / 2] ^= 1;
  Cut all = cut(bytes, "calls", limits, false);
  Cut some = cut(bytes, "calls", limits, true);
  EXPECT_TRUE(some.byIndex);
  EXPECT_EQ(some.damage, all.damage);
  EXPECT_TRUE(some.streams == all.streams);
}

} // namespace
