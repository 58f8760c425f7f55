// SPDX-License-Identifier: Apache-2.0
// The format warpo as the recorder writes it when all goes well: what a record says of itself,
// times and threads, and that streams of both kinds give the same in both formats; the options.
#include "RecordFile.h"
#include "WarpoRecord.h"

#include <cerrno>
#include <thread>

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

} // namespace
