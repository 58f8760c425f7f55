//===- EncodingTest.cpp - Blocks of the format, below the recorder --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Recorder/event_packing.h"
#include "warpo/Recorder/record_blocks.h"
#include "warpo/Recorder/trace_point.h"
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

/// As a chunk may hold an event with two further clocks.
struct Entry {
  uint64_t time;
  int32_t id;
  uint32_t isEvent;
  uint64_t fuel;
  uint64_t allocated;
};

int32_t readEntry(void *, const char *at, warpo_reading *reading) {
  const auto *entry = reinterpret_cast<const Entry *>(at);
  *reading = {entry->time, {entry->fuel, entry->allocated}};
  return entry->id;
}
/// The clock counts the entries.
int32_t readCounted(void *, const char *at, warpo_reading *reading) {
  const auto *entry = reinterpret_cast<const Entry *>(at);
  ++reading->time;
  reading->more[0] = entry->fuel;
  reading->more[1] = entry->allocated;
  return entry->id;
}
bool isEvent(const char *at) { return reinterpret_cast<const Entry *>(at)->isEvent != 0; }

constexpr int32_t mainId = warpo_first_id;
constexpr uint64_t allocatedClock = 5;

const warpo_chunk_form form{sizeof(Entry), 2, readEntry, isEvent};

void init(warpo_event_encoder &encoder, uint32_t columns) {
  ASSERT_TRUE(warpo_encoder_init(&encoder, 0, 4096));
  const uint64_t clocks[] = {warpo_clock_fuel, allocatedClock, 6, 7};
  for (uint32_t i = 0; i < columns; ++i)
    warpo_encoder_add_column(&encoder, clocks[i]);
}

Bytes finishedPayload(warpo_event_encoder &encoder) {
  size_t size = warpo_encoder_finish(&encoder);
  return {encoder.block + warpo_block_header_size, encoder.block + size};
}

class EncodingTest : public testing::Test {
protected:
  void SetUp() override { init(encoder, 2); }
  void TearDown() override { warpo_encoder_free(&encoder); }

  /// Packs entries, as a chunk; returns how many.
  size_t pack(const std::vector<Entry> &entries) {
    const auto *begin = reinterpret_cast<const char *>(entries.data());
    warpo_begin_events(&encoder, entries.front().time);
    const char *end = warpo_pack_entries(&form, nullptr, &encoder, &last, begin,
                                         begin + entries.size() * sizeof(Entry));
    return size_t(end - begin) / sizeof(Entry);
  }
  Bytes payload() { return finishedPayload(encoder); }

  warpo_event_encoder encoder;
  warpo_reading last{};
};

TEST_F(EncodingTest, EventsHaveACountOfEachColumn) {
  EXPECT_EQ(
      pack({{10, mainId, 1, 100, 7}, {12, mainId + 1, 1, 130, 7}, {15, -mainId - 1, 1, 131, 8}}),
      3u);
  EXPECT_EQ(payload(), (Bytes{0,
                              10,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0, // stream, base
                              2,
                              warpo_clock_fuel,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0, //
                              allocatedClock,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0, //
                              0,
                              1, // context
                              0,
                              1,
                              100,
                              7,
                              4,
                              2,
                              30,
                              0,
                              7,
                              1,
                              1}));
  // The next block goes on from there, with the call that is open.
  EXPECT_EQ(pack({{15, -mainId, 1, 131, 9}}), 1u);
  EXPECT_EQ(payload(), (Bytes{0,
                              15,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0, //
                              2,
                              warpo_clock_fuel,
                              131,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0, //
                              allocatedClock,
                              8,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0, //
                              1,
                              1,
                              1, //
                              1,
                              0,
                              1}));
}

TEST_F(EncodingTest, AColumnThatGoesBackSaysSo) {
  EXPECT_EQ(pack({{10, mainId, 1, 100, 7}, {11, -mainId, 1, 100, 4}}), 2u);
  Bytes bytes = payload();
  // The call ends at 11; its fuel and what it allocated are as before.
  EXPECT_EQ(Bytes(bytes.end() - 9, bytes.end()),
            (Bytes{0, 0, warpo_special_back, 2, 3, allocatedClock, 3, 0, 0}));
}

// What the encoder takes for open is what the next block's context says.
TEST_F(EncodingTest, TrapsEndTheInnermostCallOrTheOutermost) {
  constexpr int32_t leafId = mainId + 1, otherId = mainId + 2;
  struct {
    std::vector<int32_t> ids;
    std::vector<int32_t> open;
  } cases[] = {
      {{mainId, leafId, otherId, leafId, otherId, WARPO_TRAP_ID, -leafId},
       {mainId, leafId, otherId}},
      {{mainId, leafId, otherId, leafId, otherId, WARPO_TRAP_ID, WARPO_TRAP_ID, -leafId}, {mainId}},
      {{mainId, leafId, WARPO_TRAP_ID, WARPO_TRAP_ID, -mainId, otherId}, {otherId}},
      {{mainId, WARPO_TRAP_ID, WARPO_TRAP_ID, -leafId}, {mainId}},
  };
  for (const auto &test : cases) {
    warpo_encoder_free(&encoder);
    SetUp();
    std::vector<Entry> entries;
    for (int32_t id : test.ids)
      entries.push_back({10 + entries.size(), id, 1, 0, 0});
    EXPECT_EQ(pack(entries), entries.size());
    EXPECT_EQ(std::vector(encoder.calls, encoder.calls + encoder.depth), test.open);
  }
}

TEST_F(EncodingTest, PackingStopsAtWhatIsNoEvent) {
  EXPECT_EQ(pack({{10, mainId, 1, 0, 0}, {11, 0, 0, 0, 0}, {12, -mainId, 1, 0, 0}}), 1u);
  EXPECT_EQ(encoder.depth, 1u);
  EXPECT_EQ(encoder.events, 1u);
}

std::vector<Entry> randomEntries() {
  std::mt19937 random(7);
  std::vector<Entry> entries;
  std::vector<int32_t> open;
  const std::vector<int32_t> specials{0, INT32_MIN, warpo_recorded_id, warpo_section_end_id,
                                      -mainId};
  uint64_t time = 10, fuel = 0;
  for (int i = 0; i < 20'000; ++i) {
    bool isRare = random() % 50 == 0;
    int32_t id = isRare                         ? specials[random() % specials.size()]
                 : open.empty() || random() % 2 ? mainId + int32_t(random() % 40'000)
                                                : -open.back();
    if (id > 0)
      open.push_back(id);
    else if (!isRare)
      open.pop_back();
    time += random() % 30 == 0 ? random() : random() % 200;
    fuel += random() % 200;
    uint64_t back = random() % 40 == 0 ? 5 : 0;
    entries.push_back(
        {time - back, id, random() % 500 != 0, fuel - std::min(fuel, back), i / 3 * UINT64_C(100)});
  }
  return entries;
}

/// Packs entries, each by itself and as many as possible at once, into equal blocks.
void expectSameBlocks(const warpo_chunk_form &form, const std::vector<Entry> &entries) {
  warpo_event_encoder each, many;
  init(each, form.columns);
  init(many, form.columns);
  warpo_reading lastOfEach{}, lastOfMany{};
  uint64_t packed = 0;
  const auto *next = reinterpret_cast<const char *>(entries.data());
  const char *end = next + entries.size() * sizeof(Entry);
  while (next != end) {
    if (form.is_event && !form.is_event(next)) {
      next += sizeof(Entry);
      continue;
    }
    warpo_reading first = lastOfMany;
    form.read(nullptr, next, &first);
    warpo_begin_events(&each, first.time);
    warpo_begin_events(&many, first.time);
    const char *stop = warpo_pack_entries(&form, nullptr, &many, &lastOfMany, next, end);
    for (; next != stop; next += sizeof(Entry), ++packed) {
      ASSERT_FALSE(warpo_encoder_is_full(&each));
      warpo_pack_entry(&form, nullptr, &each, &lastOfEach, next);
    }
    ASSERT_TRUE(next == end || warpo_encoder_is_full(&each) ||
                (form.is_event && !form.is_event(next)));
    ASSERT_EQ(lastOfMany.time, lastOfEach.time);
    ASSERT_EQ(many.events, each.events);
    ASSERT_EQ(finishedPayload(many), finishedPayload(each));
  }
  if (form.read == readCounted) {
    EXPECT_EQ(lastOfMany.time, packed);
  }
  warpo_encoder_free(&each);
  warpo_encoder_free(&many);
}

TEST(PackingTest, ManyEntriesArePackedAsEachByItself) {
  std::vector<Entry> entries = randomEntries();
  for (auto *read : {readEntry, readCounted})
    for (uint32_t columns : {0, 1, 2})
      for (auto *stops : {static_cast<bool (*)(const char *)>(nullptr), isEvent}) {
        SCOPED_TRACE(std::string(read == readCounted ? "counted, " : "read, ") +
                     std::to_string(columns) + (stops ? " columns, may stop" : " columns"));
        expectSameBlocks({sizeof(Entry), columns, read, stops}, entries);
      }
}

TEST(PackingTest, TheLargestEventIsAnEndThatNamesItsFunction) {
  warpo_event_encoder encoder;
  init(encoder, warpo_max_columns);
  warpo_encoder_begin(&encoder, 0);
  const uint8_t *begin = encoder.next;
  const uint64_t counts[warpo_max_columns] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
  warpo_encode_measured_event(&encoder, UINT64_MAX, -(mainId - 1), counts, warpo_max_columns);
  EXPECT_EQ(encoder.next - begin, ptrdiff_t(warpo_max_event_size));
  warpo_encoder_free(&encoder);
}

TEST_F(EncodingTest, CallsAreKeptWhileTheirNumberGrows) {
  for (uint64_t time = 0; time < 3 * warpo_max_context_calls; ++time) {
    pack({{time, mainId + int32_t(time), 1, 0, 0}});
    if (warpo_encoder_is_full(&encoder))
      warpo_encoder_finish(&encoder);
  }
  ASSERT_EQ(encoder.depth, 3u * warpo_max_context_calls);
  for (uint32_t i = 0; i < encoder.depth; ++i)
    EXPECT_EQ(encoder.calls[i], mainId + int32_t(i));
}

TEST(BlockTest, AFirstPassFindsTheSizeOfABlock) {
  warpo_phase_fields phase{warpo_text_from("run"), 1, 2, warpo_text_from("fuel"), 3};
  auto put = [&](warpo_block block) {
    warpo_begin_phases(&block, 1);
    warpo_add_phase(&block, &phase);
    return block;
  };
  size_t size = put(warpo_block_in(nullptr, 0)).size;
  for (size_t capacity : {size - 1, size, size + 1}) {
    Bytes bytes(size + 1, 0xee);
    warpo_block block = put(warpo_block_in(bytes.data(), capacity));
    EXPECT_EQ(block.size, size);
    EXPECT_EQ(warpo_block_fits(&block), capacity >= size);
    EXPECT_EQ(warpo_finish_block(&block), capacity >= size ? size : 0);
    // Nothing is stored behind the room.
    EXPECT_EQ(bytes[size], 0xee);
    EXPECT_EQ(bytes[size - 1], capacity >= size ? 0 : 0xee);
  }
}

} // namespace
