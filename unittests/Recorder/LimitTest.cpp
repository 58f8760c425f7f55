// SPDX-License-Identifier: Apache-2.0
// Limits of records: of items, bytes and streams. What does not fit is counted.
#include "RecordFile.h"
#include "WarpoRecord.h"
#include "warpo/Recorder/sample_stream.h"

#include <algorithm>
#include <thread>

using namespace warpo;

namespace {

// A record has at most 65536 streams. A thread's later streams continue earlier ones, on which
// nothing is open.
TEST(WarpoRecorder, MoreStreamsThanARecordCanHave) {
  TemporaryFolder folder;
  std::string file = folder.file("m.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  constexpr uint64_t threads = 8, each = 12500;
  std::vector<std::thread> running;
  for (uint64_t i = 0; i < threads; ++i)
    running.emplace_back([recorder, i] {
      for (uint64_t done = 0; done < each; ++done) {
        warpo_event_stream *stream = warpo_event_stream_open(recorder, 5 + i % 2);
        recordCalls(stream, 2);
        // Is never continued.
        if (done % 1000 == 0)
          warpo_trace_event(stream, 0x1000009);
        warpo_event_stream_close(stream);
      }
    });
  for (std::thread &thread : running)
    thread.join();
  warpo_recorder_close(recorder);
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.damaged, 0u);
  EXPECT_EQ(record.stepsBack, 0u);
  EXPECT_EQ(record.events(), threads * (4 * each + each / 1000 + (each % 1000 != 0)));
  // As many are separate, and a thread that begins later has at least one of its own.
  EXPECT_GE(record.streams.size(), 4096u);
  EXPECT_LT(record.streams.size(), 5000u);
  std::map<uint64_t, uint64_t> modules;
  uint64_t open = 0;
  for (const WarpoRecord::Stream &stream : record.streams) {
    EXPECT_EQ(modules.try_emplace(stream.thread, stream.module).first->second, stream.module);
    EXPECT_TRUE(std::is_sorted(stream.times.begin(), stream.times.end()));
    auto found = std::find(stream.ids.begin(), stream.ids.end(), 0x1000009);
    open += found != stream.ids.end();
    EXPECT_TRUE(found == stream.ids.end() || found + 1 == stream.ids.end());
  }
  EXPECT_EQ(modules.size(), threads);
  EXPECT_EQ(open, threads * (each / 1000 + (each % 1000 != 0)));
}

TEST(WarpoRecorder, CountsWhatHasNoStream) {
  TemporaryFolder folder;
  std::string file = folder.file("m.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  constexpr uint64_t most = 1 << 16, more = 1000;
  for (uint64_t i = 0; i < most + more; ++i) {
    warpo_event_stream *stream = warpo_event_stream_open(recorder, 5);
    warpo_trace_event(stream, 0x1000000);
    warpo_event_stream_close(stream);
  }
  warpo_sample_stream *samples = warpo_sample_stream_open(recorder, 5, WARPO_SAMPLED_BY_TIME, 1000);
  const warpo_sample_frame frame = {5, 0x1000000, nullptr};
  warpo_sample(samples, 0, &frame, 1);
  warpo_sample_stream_close(samples);
  warpo_recorder_close(recorder);
  warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
  warpo_recorder_free(recorder);
  EXPECT_EQ(counts.written, most);
  EXPECT_EQ(counts.lost_to_limit, more + 1);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.damaged, 0u);
  EXPECT_EQ(record.streams.size(), most);
  EXPECT_EQ(record.events(), most);
  EXPECT_EQ(record.lost.size(), 1u);
  EXPECT_EQ(record.lost.begin()->second, more + 1);
}

TEST(WarpoRecorder, LimitOfItemsInTheMiddleOfACall) {
  TemporaryFolder folder;
  for (uint64_t limit : {0, 1, 5, 9}) {
    SCOPED_TRACE(limit);
    std::string file = folder.file("l.warpo");
    warpo_recorder_options options = warpoOptions(file);
    options.max_items = limit;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
    recordCalls(stream, 10);
    warpo_recorder_close(recorder);
    EXPECT_EQ(warpo_recorder_get_counts(recorder).lost_to_limit, 20 - limit);
    warpo_recorder_free(recorder);
    WarpoRecord record = readWarpo(file);
    EXPECT_EQ(record.events(), limit);
    EXPECT_EQ(record.lost[LossCause::limit], 20 - limit);
    EXPECT_EQ(record.damaged, 0u);
  }
}

TEST(WarpoRecorder, LimitOfBytes) {
  TemporaryFolder folder;
  for (auto format : {WARPO_FORMAT_WARP, WARPO_FORMAT_WARPO}) {
    std::string file = folder.file("y.rec");
    warpo_recorder_options options = warpoOptions(file);
    options.format = format;
    options.max_bytes = 300000;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
    recordCalls(stream, 500000);
    warpo_recorder_close(recorder);
    warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
    EXPECT_EQ(warpo_recorder_error(recorder), 0);
    warpo_recorder_free(recorder);
    EXPECT_EQ(counts.written + counts.lost_to_limit, 1000000u);
    EXPECT_LE(std::filesystem::file_size(file), 300000u);
    EXPECT_GT(std::filesystem::file_size(file), 200000u);
    if (format == WARPO_FORMAT_WARP) {
      EXPECT_EQ(readRecords(file).size(), counts.written);
      continue;
    }
    WarpoRecord record = readWarpo(file);
    EXPECT_EQ(record.events(), counts.written);
    EXPECT_EQ(record.lost[LossCause::limit], counts.lost_to_limit);
    EXPECT_TRUE(record.isClosed);
  }
}

// Names, streams before and after the limit is reached, deep stacks: the file never has a byte
// more.
TEST(WarpoRecorder, LimitOfBytesHoldsForAllThatIsWritten) {
  TemporaryFolder folder;
  std::string file = folder.file("all.warpo");
  std::string longName(900, 'n');
  for (uint64_t limit : {512, 700, 900, 1300, 1400, 2000, 2600, 5000, 70000, 140000, 300000}) {
    SCOPED_TRACE(limit);
    warpo_recorder_options options = warpoOptions(file);
    options.max_bytes = limit;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    warpo_function_name function = {0x1000000, longName.c_str()};
    for (uint64_t id : {1, 2}) {
      warpo_module_info module = {};
      module.id = id;
      module.functions = &function;
      module.function_count = 1;
      EXPECT_EQ(warpo_recorder_add_module(recorder, &module), 0);
    }
    std::vector<warpo_event_stream *> streams;
    for (uint64_t i = 0; i < 5; ++i)
      streams.push_back(warpo_event_stream_open(recorder, 1 + i % 3));
    uint64_t all = 0;
    for (warpo_event_stream *stream : streams)
      for (int i = 0; i < 200; ++i, ++all)
        warpo_trace_event(stream, 0x7000000);
    for (int round = 0; round < 60; ++round, all += 1000) {
      recordCalls(streams[round % streams.size()], 500);
      warpo_event_stream_flush(streams[round % streams.size()]);
      if (round < 10)
        streams.push_back(warpo_event_stream_open(recorder, 40 + round));
    }
    warpo_recorder_close(recorder);
    warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
    EXPECT_EQ(warpo_recorder_error(recorder), 0);
    warpo_recorder_free(recorder);
    EXPECT_EQ(counts.written + counts.lost_to_limit, all);
    EXPECT_LE(std::filesystem::file_size(file), limit);
    WarpoRecord record = readWarpo(file);
    if (record.header.streams.empty()) {
      EXPECT_EQ(record.error,
                file + ":0x8: no events: 61000 events lost when recording, at unknown places");
      continue;
    }
    EXPECT_EQ(record.error, "");
    EXPECT_EQ(record.events(), counts.written);
    EXPECT_TRUE(record.isClosed);
    EXPECT_EQ(record.damaged, 0u);
    // What there was no place for is counted at the end only.
    EXPECT_EQ(record.lost[LossCause::limit] + record.lost[LossCause::unknown],
              counts.lost_to_limit);
    if (limit >= 70000) {
      EXPECT_EQ(record.lost[LossCause::limit], counts.lost_to_limit);
      EXPECT_GT(std::filesystem::file_size(file), counts.lost_to_limit > 0 ? limit * 3 / 4 : 0);
    }
    size_t named = 0;
    for (const RecordedModule &module : record.header.modules)
      named += module.functions.size();
    EXPECT_EQ(named, limit < 1300 ? 0u : limit < 2600 ? 1u : 2u);
  }
}

TEST(WarpoRecorder, ALimitThatIsTooSmallForAnything) {
  TemporaryFolder folder;
  std::string file = folder.file("o.warpo");
  warpo_recorder_options options = warpoOptions(file);
  options.max_bytes = 511;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  EXPECT_STREQ(
      warpo_recorder_error_text(recorder),
      "record: max_bytes is less than the size of a record without events: Invalid argument");
  warpo_recorder_free(recorder);
  EXPECT_FALSE(std::filesystem::exists(file));
}

} // namespace
