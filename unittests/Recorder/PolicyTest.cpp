// SPDX-License-Identifier: Apache-2.0
// Policies for a full buffer: drop, ring, and waiting for the writer.
#include "RecordFile.h"
#include "WarpoRecord.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace warpo;

namespace {

// The pipe is not read until all has been traced, so the buffer must overflow.
TEST(WarpoRecorder, DropCountsWhatIsMissing) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  TemporaryFolder folder;
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.format = WARPO_FORMAT_WARPO;
  options.policy = WARPO_POLICY_DROP;
  options.fd = ends[1];
  options.buffer_bytes = 4096;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
  recordCalls(stream, 500000);
  std::string file = folder.file("p.warpo");
  std::thread reader([&, fd = ends[0]] {
    std::ofstream out(file, std::ios::binary);
    char bytes[4096];
    for (ssize_t got; (got = read(fd, bytes, sizeof(bytes))) > 0;)
      out.write(bytes, got);
  });
  warpo_recorder_close(recorder);
  close(ends[1]);
  reader.join();
  close(ends[0]);
  warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
  warpo_recorder_free(recorder);
  EXPECT_GT(counts.lost_to_buffer, 0u);
  EXPECT_EQ(counts.written + counts.lost_to_buffer, 1000000u);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.events(), counts.written);
  EXPECT_EQ(record.lost[LossCause::bufferFull], counts.lost_to_buffer);
  EXPECT_EQ(record.damaged, 0u);
}

TEST(WarpoRecorder, RingKeepsTheLastEvents) {
  TemporaryFolder folder;
  for (uint64_t calls : {0, 3, 100, 100000}) {
    SCOPED_TRACE(calls);
    std::string file = folder.file("r.warpo"), copy = folder.file("copy.warpo");
    warpo_recorder_options options = warpoOptions(file, WARPO_POLICY_RING);
    options.buffer_bytes = 1 << 14;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
    recordCalls(stream, calls);
    FILE *dumped = fopen(copy.c_str(), "wb");
    EXPECT_EQ(warpo_recorder_dump(recorder, fileno(dumped)), 0);
    fclose(dumped);
    EXPECT_EQ(warpo_recorder_dump(recorder, -1), 0);
    recordCalls(stream, 1);
    warpo_recorder_close(recorder);
    warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
    EXPECT_EQ(warpo_recorder_error(recorder), 0);
    warpo_recorder_free(recorder);
    WarpoRecord first = readWarpo(copy), last = readWarpo(file);
    for (WarpoRecord *record : {&first, &last}) {
      uint64_t all = 2 * calls + (record == &last ? 2 : 0);
      EXPECT_EQ(record->error, "");
      EXPECT_EQ(record->events() + record->lost[LossCause::bufferFull], all);
      EXPECT_GE(record->events(), std::min<uint64_t>(all, (1 << 14) / 8 * 7 / 8));
      EXPECT_TRUE(record->isClosed);
      EXPECT_EQ(record->damaged, 0u);
    }
    EXPECT_EQ(counts.written, last.events());
    EXPECT_EQ(last.streams[0].ids.back(), -0x1000000);
  }
}

// Only one record goes into a pipe: what comes after it is lost, and counted.
TEST(WarpoRecorder, RingIntoAPipe) {
  for (bool dumps : {false, true})
    for (uint64_t calls : {3, 5000}) {
      SCOPED_TRACE(calls);
      int ends[2];
      ASSERT_EQ(pipe(ends), 0);
      TemporaryFolder folder;
      warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
      options.format = WARPO_FORMAT_WARPO;
      options.policy = WARPO_POLICY_RING;
      options.fd = ends[1];
      options.buffer_bytes = 1 << 14;
      warpo_recorder *recorder = warpo_recorder_open(&options);
      warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
      recordCalls(stream, calls);
      EXPECT_EQ(dumps ? warpo_recorder_dump(recorder, -1) : 0, 0);
      recordCalls(stream, calls);
      warpo_recorder_close(recorder);
      close(ends[1]);
      std::string file = folder.file("p.warpo");
      std::ofstream out(file, std::ios::binary);
      char bytes[4096];
      for (ssize_t got; (got = read(ends[0], bytes, sizeof(bytes))) > 0;)
        out.write(bytes, got);
      out.close();
      close(ends[0]);
      warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
      EXPECT_EQ(warpo_recorder_error(recorder), 0);
      warpo_recorder_free(recorder);
      EXPECT_EQ(readWarpo(file).events(), counts.written);
      EXPECT_GT(counts.written, 0u);
      EXPECT_EQ(counts.written + counts.lost_to_buffer, 4 * calls);
    }
}

// While a dump runs no ring turns, so that events are dropped; here they are the last ones.
TEST(WarpoRecorder, DroppedEventsAtTheEndOfARing) {
  TemporaryFolder folder;
  std::string file = folder.file("d.warpo");
  warpo_recorder_options options = warpoOptions(file, WARPO_POLICY_RING);
  options.buffer_bytes = 1 << 16;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
  recordCalls(stream, 10000);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_GT(fcntl(ends[1], F_SETPIPE_SZ, 4096), 0);
  std::thread dumper([&] { EXPECT_EQ(warpo_recorder_dump(recorder, ends[1]), 0); });
  char bytes[4096];
  // It has begun, and waits for room in the pipe.
  ASSERT_EQ(read(ends[0], bytes, 1), 1);
  recordCalls(stream, 10000);
  std::thread reader([&] {
    while (read(ends[0], bytes, sizeof(bytes)) > 0)
      ;
  });
  dumper.join();
  close(ends[1]);
  reader.join();
  close(ends[0]);
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.events() + record.lost[LossCause::bufferFull], 40000u);
  EXPECT_EQ(record.damaged, 0u);
}

TEST(WarpoRecorder, RingsOfClosedStreamsAreUsedAgainTheOldestFirst) {
  TemporaryFolder folder;
  std::string file = folder.file("r.warpo");
  warpo_recorder_options options = warpoOptions(file, WARPO_POLICY_RING);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  for (int i = 0; i < 100; ++i) {
    warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
    for (int event = 0; event < 10; ++event)
      warpo_trace_event(stream, 0x1000000 + i);
    warpo_event_stream_close(stream);
  }
  warpo_recorder_close(recorder);
  warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
  warpo_recorder_free(recorder);
  EXPECT_EQ(counts.written, 160u);
  EXPECT_EQ(counts.lost_to_buffer, 840u);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.events(), 160u);
  for (const WarpoRecord::Stream &stream : record.streams)
    EXPECT_GE(stream.ids.front(), 0x1000000 + 84);
}

TEST(WarpoRecorder, OnlyARingIsDumped) {
  TemporaryFolder folder;
  std::string file = folder.file("n.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  EXPECT_EQ(warpo_recorder_dump(recorder, -1), EINVAL);
  warpo_recorder_free(recorder);
  EXPECT_EQ(warpo_recorder_dump(nullptr, -1), 0);
}

// What a trace point waits for the writer is neither in a call nor lost: the record says so behind
// the event that had no room.
static void recordIntoSlowPipe(uint64_t calls, uint64_t limit) {
  SCOPED_TRACE(limit);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::string bytes;
  std::thread reader([&bytes, fd = ends[0]] {
    // The pipe holds less than a thousandth of it.
    char some[64];
    for (ssize_t got; (got = read(fd, some, sizeof(some))) > 0;)
      bytes.append(some, size_t(got));
  });
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.fd = ends[1];
  options.format = WARPO_FORMAT_WARPO;
  options.buffer_bytes = 2048;
  options.max_items = limit;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  recordCalls(warpo_event_stream_open(recorder, 1), calls);
  warpo_recorder_close(recorder);
  EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
  warpo_recorder_free(recorder);
  close(ends[1]);
  reader.join();
  close(ends[0]);

  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  std::ofstream(file) << bytes;
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.damaged, 0u);
  uint64_t kept = std::min(limit, 2 * calls);
  EXPECT_EQ(record.lost.empty(), kept == 2 * calls);
  ASSERT_EQ(record.streams.size(), 1u);
  const WarpoRecord::Stream &stream = record.streams[0];
  ASSERT_EQ(stream.ids.size(), kept);
  for (uint64_t i = 0; i < kept; ++i) {
    auto id = int32_t(0x1000000 + i / 2 % 7);
    ASSERT_EQ(stream.ids[i], i % 2 == 0 ? id : -id) << i;
  }
  ASSERT_FALSE(stream.waits.empty());
  for (const WarpoRecord::Stream::Wait &wait : stream.waits) {
    ASSERT_GT(wait.after, 0u);
    EXPECT_EQ(wait.since, stream.times[wait.after - 1]);
    uint64_t next = wait.after < stream.times.size() ? stream.times[wait.after] : UINT64_MAX;
    EXPECT_LE(wait.since + wait.took, next);
  }
}

TEST(WarpoRecorder, WaitsForTheWriter) {
  recordIntoSlowPipe(500'000, WARPO_NO_LIMIT);
  // Waits are none of the events that a limit counts.
  recordIntoSlowPipe(500'000, 400'001);
}

} // namespace
