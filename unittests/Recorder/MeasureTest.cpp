// SPDX-License-Identifier: Apache-2.0
// Streams whose events count something that the program named.
#include "RecordFile.h"
#include "WarpoRecord.h"

#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpo;

namespace {

constexpr uint64_t count = 20000;

uint64_t bytesOf(uint64_t i) { return i * 4096; }

void recordCounts(warpo_event_stream *stream, uint64_t step = 1) {
  for (uint64_t i = 0; i < count; ++i)
    warpo_trace_event_fuel(stream, i % 2 == 0 ? 0x1000000 : -0x1000000, bytesOf(i) * step);
}

void expectCounts(const std::vector<uint64_t> &counts, uint64_t step = 1) {
  ASSERT_EQ(counts.size(), count);
  for (uint64_t i = 0; i < count && !testing::Test::HasFailure(); ++i)
    EXPECT_EQ(counts[i], bytesOf(i) * step) << i;
}

TEST(RecorderMeasure, EachStreamHasItsOwn) {
  for (warpo_recorder_policy policy : {WARPO_POLICY_BLOCK, WARPO_POLICY_DROP, WARPO_POLICY_RING}) {
    TemporaryFolder folder;
    std::string file = folder.file("a.warpo");
    warpo_recorder_options options = warpoOptions(file, policy);
    options.buffer_bytes = 1 << 20;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    recordCounts(warpo_event_stream_open_measured(recorder, 7, "bytes"));
    recordCounts(warpo_event_stream_open_measured(recorder, 8, "lines:all"), 2);
    recordCounts(warpo_event_stream_open_fuel(recorder, 9), 3);
    recordCounts(warpo_event_stream_open_measured(recorder, 10, "bytes"), 4);
    warpo_recorder_close(recorder);
    EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
    warpo_recorder_free(recorder);

    WarpoRecord record = readWarpo(file);
    EXPECT_EQ(record.error, "");
    EXPECT_EQ(record.damaged, 0u);
    for (const WarpoRecord::Stream &stream : record.streams) {
      const char *measure = stream.module == 8 ? "lines" : stream.module == 9 ? "fuel" : "bytes";
      std::optional<ColumnIndex> column = record.header.findColumn(measure);
      ASSERT_TRUE(column);
      expectCounts(stream.counts[*column], stream.module - 6);
    }
    EXPECT_EQ(record.streams.size(), 4u);
  }
}

// A ring uses the memory of closed streams again, once there are many.
TEST(RecorderMeasure, IsNotThatOfAClosedStream) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file, WARPO_POLICY_RING);
  options.buffer_bytes = 1 << 12;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  for (int i = 0; i < 410; ++i) {
    bool isFirst = i % 3 == 0;
    warpo_event_stream *stream =
        warpo_event_stream_open_measured(recorder, isFirst ? 7 : 8, isFirst ? "bytes" : "lines");
    warpo_trace_event_fuel(stream, 0x1000000, 5);
    warpo_event_stream_close(stream);
  }
  warpo_recorder_close(recorder);
  EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.damaged, 0u);
  EXPECT_GT(record.streams.size(), 10u);
  EXPECT_LT(record.streams.size(), 410u);
  for (const WarpoRecord::Stream &stream : record.streams) {
    std::optional<ColumnIndex> column =
        record.header.findColumn(stream.module == 7 ? "bytes" : "lines");
    ASSERT_TRUE(column);
    EXPECT_EQ(stream.counts[*column], std::vector<uint64_t>{5});
  }
}

TEST(RecorderMeasure, IsThereAfterAKill) {
  for (warpo_recorder_policy policy : {WARPO_POLICY_BLOCK, WARPO_POLICY_RING}) {
    TemporaryFolder folder;
    std::string file = folder.file("a.warpo");
    pid_t child = fork();
    if (child == 0) {
      warpo_recorder_options options = warpoOptions(file, policy);
      options.buffer_bytes = 1 << 20;
      options.crash_safe = 1;
      recordCounts(warpo_event_stream_open_measured(warpo_recorder_open(&options), 7, "bytes"));
      raise(SIGKILL);
    }
    waitpid(child, nullptr, 0);
    EXPECT_EQ(warpo_recorder_recover(file.c_str(), nullptr), 0);
    WarpoRecord record = readWarpo(file);
    EXPECT_EQ(record.error, "");
    EXPECT_EQ(record.damaged, 0u);
    ASSERT_EQ(record.header.columns().size(), 1u);
    EXPECT_EQ(record.header.columns()[0].name, "bytes");
    ASSERT_EQ(record.streams.size(), 1u);
    expectCounts(record.streams[0].counts[0]);
  }
}

TEST(RecorderMeasure, IsRefusedWhereThereIsNoPlaceForIt) {
  const struct {
    std::vector<const char *> measures;
    warpo_recorder_clock clock;
    bool works;
  } cases[] = {
      {{"bytes"}, WARPO_CLOCK_MONOTONIC, true},
      {{"a", "b", "c", "a"}, WARPO_CLOCK_COUNTER, true},
      {{"a", "b", "c", "d"}, WARPO_CLOCK_COUNTER, false},
      {{"bytes"}, WARPO_CLOCK_FUEL, false},
      {{""}, WARPO_CLOCK_COUNTER, false},
      {{"time"}, WARPO_CLOCK_COUNTER, false},
      {{"two words"}, WARPO_CLOCK_COUNTER, false},
      {{":"}, WARPO_CLOCK_COUNTER, false},
      {{"calls"}, WARPO_CLOCK_COUNTER, false},
      {{"samples"}, WARPO_CLOCK_COUNTER, false},
      {{"probe"}, WARPO_CLOCK_COUNTER, false},
      {{"suspended"}, WARPO_CLOCK_COUNTER, false},
      {{"module"}, WARPO_CLOCK_COUNTER, false},
      {{"stream"}, WARPO_CLOCK_COUNTER, false},
      {{"event"}, WARPO_CLOCK_COUNTER, false},
      {{"id"}, WARPO_CLOCK_COUNTER, false},
      {{"function"}, WARPO_CLOCK_COUNTER, false},
      {{"count"}, WARPO_CLOCK_COUNTER, false},
      {{"lost"}, WARPO_CLOCK_COUNTER, false},
      {{"calls:all"}, WARPO_CLOCK_COUNTER, false},
      {{"a:x-1_Z", "b"}, WARPO_CLOCK_COUNTER, true},
      {{"a:"}, WARPO_CLOCK_COUNTER, false},
      {{"a:x,y"}, WARPO_CLOCK_COUNTER, false},
      {{"a:\nx"}, WARPO_CLOCK_COUNTER, false},
      {{"a:x:y"}, WARPO_CLOCK_COUNTER, false},
      {{"a", "a:x"}, WARPO_CLOCK_COUNTER, false},
      {{"a:x", "a"}, WARPO_CLOCK_COUNTER, false},
      {{"fuel:x"}, WARPO_CLOCK_COUNTER, false},
      {{"a234567890123456789012345678901234567890123456789012345678901234"},
       WARPO_CLOCK_COUNTER,
       false},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.measures.front());
    TemporaryFolder folder;
    std::string file = folder.file("a.warpo");
    warpo_recorder_options options = warpoOptions(file);
    options.clock = test.clock;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    for (const char *measure : test.measures)
      recordCounts(warpo_event_stream_open_measured(recorder, 7, measure));
    warpo_recorder_close(recorder);
    EXPECT_EQ(warpo_recorder_error(recorder), test.works ? 0 : EINVAL);
    EXPECT_EQ(warpo_recorder_get_counts(recorder).lost_to_failure, test.works ? 0 : count);
    warpo_recorder_free(recorder);
    EXPECT_EQ(readWarpo(file).damaged, 0u);
  }
}

} // namespace
