//===- NonsenseTest.cpp - What makes no sense is left out at little cost --===//
// SPDX-License-Identifier: Apache-2.0

#include "../Support/ProcessorTime.h"
#include "RecordText.h"
#include "warpo/Recorder/record_blocks.h"
#include "llvm/Support/Compression.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

constexpr size_t recordSize = 2 << 20;

std::string number(uint64_t value) {
  uint8_t room[10];
  return std::string(room, warpo_put_u(room, value));
}
std::string fixed64(uint64_t value) {
  uint8_t room[8];
  return std::string(room, warpo_put_fixed(room, value, 8));
}
std::string text(StringRef text) { return number(text.size()) + text.str(); }

std::string block(warpo_block_kind kind, const std::string &payload, uint8_t flags = 0) {
  std::string result(warpo_block_header_size, '\0');
  result += payload;
  warpo_frame_block(reinterpret_cast<uint8_t *>(result.data()), kind, flags, payload.size());
  return result;
}
/// The same block with a kind that nobody knows.
std::string ofUnknownKind(std::string block) {
  auto *header = reinterpret_cast<uint8_t *>(block.data());
  header[4] = 99;
  warpo_put_fixed(header + 12, warpo_check_block(header, block.size() - warpo_block_header_size),
                  4);
  return block;
}
std::string compressed(warpo_block_kind kind, const std::string &payload) {
  SmallVector<uint8_t, 0> frame;
  compression::zstd::compress(arrayRefFromStringRef(payload), frame,
                              compression::zstd::BestSpeedCompression);
  return block(kind, toStringRef(frame).str(), warpo_block_is_compressed);
}

std::string stream(uint64_t stream) {
  return block(warpo_block_stream, number(stream) + number(0) + number(0) + text(""));
}
/// What stands before the events of a block: no further clocks, and no calls that are open.
std::string headOfEvents(uint64_t stream) {
  return number(stream) + fixed64(0) + number(0) + number(0) + '\1';
}
constexpr StringLiteral oneCall("\2\1\3");
std::string oneCallOf(uint64_t stream) {
  return block(warpo_block_events, headOfEvents(stream) + oneCall.str());
}

/// Stands at the front of every record here: a module, a stream of it, a call.
std::string start() {
  return std::string(WARPO_SIGNATURE, warpo_signature_size) +
         block(warpo_block_module,
               number(0) + number(7) + text("m") + text("") + text("") + number(0)) +
         stream(0) + oneCallOf(0);
}

/// Of the file's size, as often as they fit, `pieces` in turn.
std::string filled(std::string record, ArrayRef<std::string> pieces) {
  for (size_t i = 0; record.size() < recordSize; ++i)
    record += pieces[i % pieces.size()];
  return record;
}

/// Each claims to be a block of all that is left of the file.
std::string falseClaims(size_t together) {
  std::string unknown = block(warpo_block_kind(15), "");
  std::string record = start();
  while (record.size() < recordSize) {
    for (size_t i = 0; i < together; ++i) {
      std::string claim = block(warpo_block_events, "");
      uint64_t taken = record.size() + warpo_block_header_size + (together + 1) * 32;
      uint64_t left = taken < recordSize ? recordSize - taken : 0;
      warpo_put_fixed(reinterpret_cast<uint8_t *>(claim.data()) + 8, left, 4);
      record += claim;
    }
    record += unknown;
  }
  return record;
}

std::string nonsenseOfManyStreams() {
  std::string record = start();
  for (size_t i = 1; record.size() < recordSize / 2; ++i)
    record += stream(i);
  return filled(record, {block(warpo_block_events, "\xff"), block(warpo_block_kind(15), "")});
}

/// An index that is sound, of blocks that are not.
std::string indexOfNonsense() {
  std::string record = start();
  uint64_t first = record.size() - oneCallOf(0).size();
  std::string broken = oneCallOf(0);
  broken.back() = '\7';
  std::string entries = number(first) + number(0) + number(0) + number(0);
  size_t count = 1;
  for (; record.size() < recordSize; ++count) {
    entries += number(broken.size()) + number(0) + number(0) + number(0);
    record += broken;
  }
  uint64_t index = record.size();
  record += block(warpo_block_index, number(count) + entries);
  return record + block(warpo_block_end, fixed64(index) + fixed64(0) + fixed64(0));
}

std::string soundRecord() {
  std::string record = start();
  std::string events = headOfEvents(0);
  for (size_t i = 0; i < 20000; ++i)
    events += oneCall;
  return filled(record, {block(warpo_block_events, events)});
}

/// How many entries the record has, from this time on.
size_t readWhole(StringRef bytes, uint64_t from = 0) {
  auto reader = cantFail(openBytes(bytes, "warpo"));
  if (from > 0)
    cantFail(reader->keepOnly(from, UINT64_MAX));
  size_t entries = 0;
  RecordBatch batch;
  while (cantFail(reader->next(batch)))
    entries += batch.size();
  return entries;
}

TEST(Nonsense, costsNoMoreThanReading) {
  struct {
    const char *name;
    std::string record;
    uint64_t from = 0;
  } cases[] = {
      {"claims of large blocks", falseClaims(70)},
      {"such claims behind whole blocks", falseClaims(1)},
      {"blocks that make no sense, and many streams", nonsenseOfManyStreams()},
      {"zeros", start() + std::string(recordSize, '\0')},
      {"signs of a block's start", filled(start(), {"W", "WB", "WBLK"})},
      {"an index of what makes no sense", indexOfNonsense(), 1},
  };
  std::string sound = soundRecord();
  double reading = costOf([&] { readWhole(sound); });
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    size_t entries = 0;
    double skipping = costOf([&] { entries = readWhole(test.record, test.from); });
    // A search that begins anew at each place costs hundreds of times as much.
    EXPECT_LT(skipping, 20 * reading);
    EXPECT_EQ(entries, 2u);
  }
}

TEST(Nonsense, ofUnknownSpecialsCostsLessThanEvents) {
  std::string events = headOfEvents(0), specials = headOfEvents(0);
  while (events.size() < recordSize) {
    events += oneCall;
    specials += StringRef("\2\0\3\0", 4);
  }
  events = start() + block(warpo_block_events, events);
  specials = start() + block(warpo_block_events, specials);
  EXPECT_LT(costOf([&] { readWhole(specials); }), costOf([&] { readWhole(events); }));
}

TEST(Nonsense, isNotDecompressed) {
  if (!compression::zstd::isAvailable())
    GTEST_SKIP() << "built without zstd";
  std::string zeros(warpo_max_payload, '\0');
  // A tenth of the others' size: it would be 5 GB.
  std::string record = start();
  std::string unknown = ofUnknownKind(compressed(warpo_block_phases, zeros));
  std::string phases = compressed(warpo_block_phases, zeros);
  while (record.size() < recordSize / 10)
    record += unknown + phases;
  std::string sound = soundRecord();
  double reading = costOf([&] { readWhole(sound); });
  EXPECT_LT(costOf([&] { readWhole(record); }), 20 * reading);
}

/// Source places of module 0: a part that nobody knows, of 16 MiB of zeros.
std::string largePlaces() {
  std::string part = number(99) + number(1 << 24) + std::string(1 << 24, '\0');
  SmallVector<uint8_t, 0> frame;
  compression::zstd::compress(arrayRefFromStringRef(part), frame);
  return block(warpo_block_places,
               number(0) + '\1' + number(part.size()) + toStringRef(frame).str());
}

TEST(Nonsense, ofPlacesIsUnpackedUpToALimit) {
  if (!compression::zstd::isAvailable())
    GTEST_SKIP() << "built without zstd";
  std::string places = largePlaces();
  for (auto [blocks, isDamage] : {std::pair(20, false), std::pair(40, true)}) {
    std::string record = start();
    for (int i = 0; i < blocks; ++i)
      record += places;
    bool isDamaged = false;
    auto reader = cantFail(openBytes(record, "warpo"));
    RecordBatch batch;
    while (cantFail(reader->next(batch)))
      for (const RecordNote &note : batch.notes)
        isDamaged |= note.kind != NoteKind::notClosed;
    EXPECT_EQ(isDamaged, isDamage);
  }
  // A later version's are skipped.
  std::string record = start() + block(warpo_block_places, number(0) + "\2later");
  auto reader = cantFail(openBytes(record, "warpo"));
  RecordBatch batch;
  while (cantFail(reader->next(batch)))
    for (const RecordNote &note : batch.notes)
      EXPECT_EQ(note.kind, NoteKind::notClosed);
}

TEST(Nonsense, ofModulesBeyondTheLimitIsOfNoModule) {
  std::string record = start();
  auto module = [](uint64_t number_, StringRef functions) {
    return block(warpo_block_module, number(number_) + number(number_) + text("m") + text("") +
                                         text("") + functions.str());
  };
  for (uint64_t i = 1; i <= warpo_max_modules; ++i)
    record += module(i, StringRef("\0", 1));
  // It is as unknown in what refers to it as if it had not been declared.
  std::string beyond =
      module(warpo_max_modules, "\1\5\1f") +
      block(warpo_block_linked, number(warpo_max_modules) + '\1') +
      block(warpo_block_stream, number(1) + number(warpo_max_modules) + number(0) + text("")) +
      oneCallOf(1);
  auto reader = cantFail(openBytes(record + beyond, "warpo"));
  uint64_t entries = 0, skipped = 0;
  RecordBatch batch;
  while (cantFail(reader->next(batch))) {
    entries += batch.size();
    for (const RecordNote &note : batch.notes)
      skipped += note.kind == NoteKind::skippedBytes;
  }
  EXPECT_EQ(entries, 2u);
  EXPECT_GT(skipped, 0u);
  EXPECT_EQ(reader->header().modules.size(), size_t(warpo_max_modules));
  EXPECT_EQ(reader->header().streams.size(), 1u);
}

TEST(Nonsense, doesNotHideWhatIsWhole) {
  // A block that is cut off, one with a wrong byte, then a large whole one.
  std::string damaged = oneCallOf(0);
  damaged.back() = '\7';
  std::string large = headOfEvents(0);
  for (size_t i = 0; i < 2000000; ++i)
    large += oneCall;
  std::string record = start() + oneCallOf(0).substr(0, 20) + damaged +
                       block(warpo_block_events, large) + oneCallOf(0);
  EXPECT_EQ(readWhole(record), 4000004u);
}

/// The largest part of the record that is read from one batch to the next.
double longestStep(StringRef bytes) {
  auto reader = cantFail(openBytes(bytes, "warpo"));
  uint64_t before = 0, longest = 0;
  RecordBatch batch;
  while (cantFail(reader->next(batch))) {
    EXPECT_GE(reader->bytesRead(), before);
    longest = std::max(longest, reader->bytesRead() - before);
    before = reader->bytesRead();
  }
  EXPECT_EQ(reader->bytesRead(), bytes.size());
  return double(longest) / double(bytes.size());
}

TEST(Nonsense, leavesProgressVisible) {
  std::string calls = headOfEvents(0), specials = headOfEvents(0), losses = headOfEvents(0);
  while (calls.size() < 8 << 20) {
    calls += oneCall;
    specials += StringRef("\2\0\3\0", 4);
    losses += StringRef("\2\0\2\2\1\1", 6);
  }
  struct {
    const char *name;
    std::string record;
  } cases[] = {
      {"calls", start() + block(warpo_block_events, calls)},
      {"what no reader knows", start() + block(warpo_block_events, specials)},
      {"losses", start() + block(warpo_block_events, losses)},
      {"blocks without events", filled(filled(start(), {block(warpo_block_kind(15), "")}),
                                       {block(warpo_block_events, "\xff")})},
      {"blocks of nothing", filled(start(), {block(warpo_block_events, headOfEvents(0))})},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    EXPECT_LT(longestStep(test.record), 0.6);
    if (compression::zstd::isAvailable() && test.record.size() > 4 * recordSize) {
      EXPECT_LT(longestStep(start() + compressed(warpo_block_events,
                                                 test.record.substr(start().size() +
                                                                    warpo_block_header_size))),
                0.3);
    }
  }
}

} // namespace
