// SPDX-License-Identifier: Apache-2.0
// The format warpo as the recorder writes it when all goes well: what a record says of itself,
// time, policies, limits, and that streams of both kinds give the same in both formats.
#include "RecordFile.h"
#include "WarpoRecord.h"
#include "warpo/Recorder/sample_stream.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <numeric>
#include <thread>
#include <unistd.h>

using namespace warpo;

namespace {

using Ids = std::vector<int32_t>;

TEST(WarpoRecorder, SaysAllOfItself) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  const uint8_t hash[32] = {1, 2, 3};
  const uint8_t build[] = {9, 8};
  const warpo_function_name functions[] = {{0x1000000, "main"}, {0x1000001, "leaf"}};
  warpo_module_info info = {42, "app", hash, build, sizeof(build), functions, 2, nullptr, 0};
  EXPECT_EQ(warpo_recorder_add_module(recorder, &info), 0);
  const warpo_function_name wrong[] = {{-1, "no"}};
  warpo_module_info bad = {43, nullptr, nullptr, nullptr, 0, wrong, 1, nullptr, 0};
  EXPECT_EQ(warpo_recorder_add_module(recorder, &bad), EINVAL);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 42);
  for (int32_t id : {0x1000000, 0x1000001, -0x1000001, -0x1000000})
    warpo_trace_event(stream, id);
  warpo_event_stream_close(stream);
  warpo_recorder_close(recorder);
  EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
  EXPECT_EQ(warpo_recorder_get_counts(recorder).written, 4u);
  warpo_recorder_free(recorder);

  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.error, "");
  EXPECT_TRUE(record.isClosed);
  ASSERT_EQ(record.streams.size(), 1u);
  EXPECT_EQ(record.streams[0].ids, (Ids{0x1000000, 0x1000001, -0x1000001, -0x1000000}));
  EXPECT_EQ(record.streams[0].module, 42u);
  EXPECT_EQ(record.streams[0].thread, uint64_t(gettid()));
  ASSERT_EQ(record.header.modules.size(), 1u);
  const RecordedModule &module = record.header.modules[0];
  EXPECT_EQ(module.name, "app");
  EXPECT_EQ(module.hash, std::string(reinterpret_cast<const char *>(hash), 32));
  EXPECT_EQ(module.buildId, "\x09\x08");
  ASSERT_EQ(module.functions.size(), 2u);
  EXPECT_EQ(module.nameOf(module.functions[1]), "leaf");
  ASSERT_TRUE(record.header.measures[0].scale);
  double nanoseconds = double(record.header.measures[0].scale->nanoseconds());
  EXPECT_GT(nanoseconds / double(record.header.measures[0].scale->counts()), 0.05);
  EXPECT_LT(nanoseconds / double(record.header.measures[0].scale->counts()), 50);
  EXPECT_GT(record.header.wallClock, uint64_t(1) << 60);
  EXPECT_GT(record.probe.begin, 0u);
  EXPECT_GT(record.probe.end, 0u);
}

TEST(WarpoRecorder, BothKindsOfStreamsInBothFormats) {
  TemporaryFolder folder;
  Ids ids;
  for (int32_t i = 0; i < 3000; ++i)
    ids.insert(ids.end(), {1 + i, 0x1000000 + i % 50, -(0x1000000 + i % 50), -(1 + i)});
  for (bool isWarpo : {false, true})
    for (bool isShort : {false, true}) {
      SCOPED_TRACE((isWarpo ? "warpo" : "warp") + std::string(isShort ? ", events" : ", records"));
      std::string file = folder.file("b.rec");
      warpo_recorder_options options = warpoOptions(file);
      options.format = isWarpo ? WARPO_FORMAT_WARPO : WARPO_FORMAT_WARP;
      options.buffer_bytes = 4096;
      warpo_recorder *recorder = warpo_recorder_open(&options);
      warpo_stream *records = isShort ? nullptr : warpo_stream_open(recorder, 7);
      warpo_event_stream *events = isShort ? warpo_event_stream_open(recorder, 7) : nullptr;
      for (int32_t id : ids) {
        warpo_trace_point(records, id);
        warpo_trace_event(events, id);
      }
      warpo_recorder_close(recorder);
      EXPECT_EQ(warpo_recorder_get_counts(recorder).written, ids.size());
      warpo_recorder_free(recorder);
      if (isWarpo)
        EXPECT_EQ(readWarpo(file).streams[0].ids, ids);
      else
        EXPECT_EQ(idsOf(readRecords(file), 7), ids);
    }
}

// Times are given here, so what is read must be exactly these.
TEST(WarpoRecorder, TimeJumpsAndStepsBack) {
  TemporaryFolder folder;
  constexpr uint64_t far = uint64_t(1) << 32;
  struct {
    const char *name;
    std::vector<uint64_t> given, read;
    uint64_t stepsBack;
  } cases[] = {
      {"near", {0, 5, 9, 9}, {0, 5, 9, 9}, 0},
      {"just within an entry", {0, far - 1, far, far + 1}, {0, far - 1, far, far + 1}, 0},
      {"years", {0, far * 5000000, far * 5000000 + 1}, {0, far * 5000000, far * 5000000 + 1}, 0},
      {"a step back", {10, 20, 15, 18, 30}, {10, 20, 20, 20, 30}, 1},
      {"before the start of the chunk", {1000, 400, 500, 1200}, {1000, 1000, 1000, 1200}, 1},
      {"back by years",
       {far * 9000, 3, 4, far * 9001},
       {far * 9000, far * 9000, far * 9000, far * 9001},
       1},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    std::string file = folder.file("t.warpo");
    warpo_recorder_options options = warpoOptions(file);
    warpo_recorder *recorder = warpo_recorder_open(&options);
    warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
    for (size_t i = 0; i < test.given.size(); ++i)
      warpo_trace_event_at(stream, 77 + test.given[i], int32_t(i + 1));
    warpo_recorder_free(recorder);
    WarpoRecord record = readWarpo(file);
    ASSERT_EQ(record.streams.size(), 1u);
    std::vector<uint64_t> times = record.streams[0].times;
    for (uint64_t &time : times)
      time -= 77;
    EXPECT_EQ(times, test.read);
    EXPECT_EQ(record.stepsBack, test.stepsBack);
    EXPECT_EQ(record.damaged, 0u);
  }
}

TEST(WarpoRecorder, ManyThreadsOneModule) {
  TemporaryFolder folder;
  std::string file = folder.file("m.warpo");
  warpo_recorder_options options = warpoOptions(file);
  options.buffer_bytes = 8192;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  constexpr int threads = 64;
  constexpr uint64_t calls = 3000;
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([recorder] {
      warpo_event_stream *stream = warpo_event_stream_open(recorder, 5);
      recordCalls(stream, calls);
      warpo_event_stream_close(stream);
    });
  for (std::thread &thread : running)
    thread.join();
  warpo_recorder_close(recorder);
  EXPECT_EQ(warpo_recorder_get_counts(recorder).written, 2 * calls * threads);
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  ASSERT_EQ(record.streams.size(), size_t(threads));
  EXPECT_EQ(record.damaged, 0u);
  Ids expected = record.streams[0].ids;
  EXPECT_EQ(expected.size(), 2 * calls);
  for (const WarpoRecord::Stream &stream : record.streams)
    EXPECT_EQ(stream.ids, expected);
}

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
  EXPECT_GT(record.streams.size(), 4096u);
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

TEST(WarpoRecorder, OptionsThatDoNotGoTogether) {
  TemporaryFolder folder;
  std::string file = folder.file("o.rec");
  struct {
    warpo_recorder_policy policy;
    warpo_recorder_clock clock;
    const char *text;
  } cases[] = {
      {WARPO_POLICY_DROP, WARPO_CLOCK_COUNTER,
       "record: the format warp has the policy block only: Invalid argument"},
      {WARPO_POLICY_RING, WARPO_CLOCK_COUNTER,
       "record: the format warp has the policy block only: Invalid argument"},
      {WARPO_POLICY_BLOCK, WARPO_CLOCK_MONOTONIC,
       "record: the format warp has the processor's counter for its clock only: Invalid argument"},
  };
  for (const auto &test : cases) {
    warpo_recorder_options options = warpoOptions(file, test.policy);
    options.format = WARPO_FORMAT_WARP;
    options.clock = test.clock;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    EXPECT_STREQ(warpo_recorder_error_text(recorder), test.text);
    warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
    warpo_trace_event(stream, 1);
    warpo_event_stream_close(stream);
    EXPECT_EQ(warpo_recorder_get_counts(recorder).lost_to_failure, 1u);
    warpo_recorder_free(recorder);
    EXPECT_FALSE(std::filesystem::exists(file));
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

TEST(WarpoRecorder, Environment) {
  struct {
    const char *name, *value, *problem;
  } cases[] = {
      {"WARPO_RECORDER_FORMAT", "warpo", nullptr},
      {"WARPO_RECORDER_FORMAT", "WARPO", "WARPO_RECORDER_FORMAT is neither warp nor warpo"},
      {"WARPO_RECORDER_POLICY", "ring", nullptr},
      {"WARPO_RECORDER_POLICY", "", nullptr},
      {"WARPO_RECORDER_POLICY", "keep", "WARPO_RECORDER_POLICY is neither block, drop nor ring"},
      {"WARPO_RECORDER_BUFFER", "65536", nullptr},
      {"WARPO_RECORDER_BUFFER", "0", "WARPO_RECORDER_BUFFER is not a number of bytes"},
      {"WARPO_RECORDER_BUFFER", "64k", "WARPO_RECORDER_BUFFER is not a number of bytes"},
      {"WARPO_RECORDER_MAX_BYTES", "1000", nullptr},
      {"WARPO_RECORDER_MAX_BYTES", "all", "WARPO_RECORDER_MAX_BYTES is not a number of bytes"},
      {"WARPO_RECORDER_CLOCK", "monotonic", nullptr},
      {"WARPO_RECORDER_CLOCK", "tsc", "WARPO_RECORDER_CLOCK is neither counter nor monotonic"},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(std::string(test.name) + '=' + test.value);
    setenv(test.name, test.value, 1);
    warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
    EXPECT_STREQ(warpo_recorder_read_environment(&options), test.problem);
    unsetenv(test.name);
  }
  setenv("WARPO_RECORDER_BUFFER", "65536", 1);
  setenv("WARPO_RECORDER_MAX_BYTES", "1000", 1);
  setenv("WARPO_RECORDER_POLICY", "ring", 1);
  setenv("WARPO_RECORDER_FORMAT", "warpo", 1);
  setenv("WARPO_RECORDER_CLOCK", "monotonic", 1);
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  EXPECT_EQ(warpo_recorder_read_environment(&options), nullptr);
  EXPECT_EQ(options.buffer_bytes, 65536u);
  EXPECT_EQ(options.max_bytes, 1000u);
  EXPECT_EQ(options.policy, WARPO_POLICY_RING);
  EXPECT_EQ(options.format, WARPO_FORMAT_WARPO);
  EXPECT_EQ(options.clock, WARPO_CLOCK_MONOTONIC);
  for (const char *name : {"BUFFER", "MAX_BYTES", "POLICY", "FORMAT", "CLOCK"})
    unsetenv((std::string("WARPO_RECORDER_") + name).c_str());
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
