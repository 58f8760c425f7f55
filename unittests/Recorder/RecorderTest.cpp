// SPDX-License-Identifier: Apache-2.0
// What the recorder writes when all goes well: bytes, order, limits, several threads, the
// environment.
#include "RecordFile.h"
#include "warpo/Recorder/event_stream.h"

#include <cerrno>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>
#include <thread>

extern "C" {
#include "clock.h"
}

extern "C" int recordOneCallInC(const char *file);

namespace {

warpo_recorder *openFile(const std::string &file, uint64_t maxItems = WARPO_NO_LIMIT,
                         size_t streamRecords = 4) {
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.format = WARPO_FORMAT_WARP;
  options.file = file.c_str();
  options.max_items = maxItems;
  options.stream_records = streamRecords;
  return warpo_recorder_open(&options);
}

std::vector<int32_t> oneTo(int32_t count) {
  std::vector<int32_t> ids(count);
  std::iota(ids.begin(), ids.end(), 1);
  return ids;
}

/// Runs `threads` threads, each with a stream of its own that records ids 1 to `count`.
void recordInThreads(warpo_recorder *recorder, uint64_t threads, int32_t count) {
  std::vector<std::thread> running;
  for (uint64_t module = 1; module <= threads; ++module)
    running.emplace_back([recorder, module, count] {
      warpo_stream *stream = warpo_stream_open(recorder, module);
      for (int32_t id = 1; id <= count; ++id)
        warpo_trace_point(stream, id);
      warpo_stream_close(stream);
    });
  for (std::thread &thread : running)
    thread.join();
  warpo_recorder_close(recorder);
}

TEST(Recorder, WritesTheFormatByteForByte) {
  TemporaryFolder folder;
  warpo_recorder *recorder = openFile(folder.file("a.rec"));
  warpo_stream *stream = warpo_stream_open(recorder, 0x1122334455667788);
  warpo_trace_point(stream, 0x1000000);
  warpo_stream_close(stream);
  warpo_recorder_free(recorder);
  std::ifstream in(folder.file("a.rec"), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  ASSERT_EQ(bytes.size(), 32u);
  EXPECT_EQ(bytes.substr(0, 24), "___WARP_TRACE___\x88\x77\x66\x55\x44\x33\x22\x11");
  EXPECT_EQ(bytes.substr(28), std::string("\0\0\0\1", 4));
}

TEST(Recorder, IsUsableFromC) {
  TemporaryFolder folder;
  EXPECT_EQ(recordOneCallInC(folder.file("c.rec").c_str()), 0);
  EXPECT_EQ(idsOf(readRecords(folder.file("c.rec")), 7), (std::vector<int32_t>{1, -1}));
}

TEST(Recorder, WithoutARecorderNothingHappens) {
  warpo_stream *stream = warpo_stream_open(nullptr, 1);
  EXPECT_EQ(stream, nullptr);
  warpo_trace_point(stream, 1);
  warpo_stream_flush(stream);
  warpo_stream_close(stream);
  EXPECT_EQ(warpo_recorder_error(nullptr), 0);
  EXPECT_STREQ(warpo_recorder_error_text(nullptr), "");
  EXPECT_EQ(warpo_recorder_get_counts(nullptr).written, 0u);
  warpo_recorder_close(nullptr);
  warpo_recorder_free(nullptr);
}

TEST(Recorder, KeepsAllRecordsInOrderWhateverTheBuffer) {
  TemporaryFolder folder;
  for (size_t streamRecords : {0, 1, 2, 7, 4096})
    for (int32_t count : {0, 1, 2, 13, 5000}) {
      warpo_recorder *recorder = openFile(folder.file("b.rec"), WARPO_NO_LIMIT, streamRecords);
      warpo_stream *stream = warpo_stream_open(recorder, 5);
      for (int32_t id = 1; id <= count; ++id)
        warpo_trace_point(stream, id);
      warpo_recorder_close(recorder);
      EXPECT_EQ(warpo_recorder_get_counts(recorder).written, uint64_t(count));
      warpo_recorder_free(recorder);
      EXPECT_EQ(idsOf(readRecords(folder.file("b.rec")), 5), oneTo(count)) << streamRecords;
    }
}

TEST(Recorder, FlushMakesRecordsVisibleAndKeepsTheLimit) {
  TemporaryFolder folder;
  warpo_recorder *recorder = openFile(folder.file("f.rec"), 3, 100);
  warpo_stream *stream = warpo_stream_open(recorder, 5);
  warpo_trace_point(stream, 1);
  warpo_trace_point(stream, 2);
  EXPECT_EQ(readRecords(folder.file("f.rec")).size(), 0u);
  warpo_stream_flush(stream);
  EXPECT_EQ(readRecords(folder.file("f.rec")).size(), 2u);
  warpo_trace_point(stream, 3);
  warpo_stream_flush(stream);
  warpo_trace_point(stream, 4);
  warpo_recorder_close(recorder);
  EXPECT_EQ(warpo_recorder_get_counts(recorder).lost_to_limit, 1u);
  warpo_recorder_free(recorder);
  EXPECT_EQ(idsOf(readRecords(folder.file("f.rec")), 5), oneTo(3));
}

TEST(Recorder, LimitKeepsExactlyTheFirstOfAllStreams) {
  TemporaryFolder folder;
  for (uint64_t limit : {0, 1, 5, 8, 20}) {
    warpo_recorder *recorder = openFile(folder.file("l.rec"), limit);
    warpo_stream *odd = warpo_stream_open(recorder, 1), *even = warpo_stream_open(recorder, 2);
    for (int32_t id = 1; id <= 12; ++id)
      warpo_trace_point(id % 2 ? odd : even, id);
    warpo_recorder_close(recorder);
    warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
    uint64_t kept = std::min<uint64_t>(limit, 12);
    EXPECT_EQ(counts.written, kept);
    EXPECT_EQ(counts.lost_to_limit, 12 - kept);
    EXPECT_EQ(counts.lost_to_failure, 0u);
    EXPECT_EQ(warpo_recorder_error(recorder), 0);
    warpo_recorder_free(recorder);
    std::vector<warpo_record> records = readRecords(folder.file("l.rec"));
    EXPECT_EQ(records.size(), kept);
    for (const warpo_record &record : records)
      EXPECT_LE(uint64_t(record.id), kept);
  }
}

TEST(Recorder, StreamsOfManyThreadsStayInOrder) {
  TemporaryFolder folder;
  warpo_recorder *recorder = openFile(folder.file("t.rec"), WARPO_NO_LIMIT, 64);
  recordInThreads(recorder, 8, 20000);
  EXPECT_EQ(warpo_recorder_get_counts(recorder).written, 8 * 20000u);
  warpo_recorder_free(recorder);
  std::vector<warpo_record> records = readRecords(folder.file("t.rec"));
  for (uint64_t module = 1; module <= 8; ++module)
    EXPECT_EQ(idsOf(records, module), oneTo(20000)) << module;
}

TEST(Recorder, LimitHoldsForManyThreads) {
  TemporaryFolder folder;
  warpo_recorder *recorder = openFile(folder.file("m.rec"), 1000);
  recordInThreads(recorder, 4, 2000);
  EXPECT_EQ(warpo_recorder_get_counts(recorder).written, 1000u);
  EXPECT_EQ(warpo_recorder_get_counts(recorder).lost_to_limit, 7000u);
  warpo_recorder_free(recorder);
  EXPECT_EQ(readRecords(folder.file("m.rec")).size(), 1000u);
}

// A silent stream must not keep its records until they lie more than half a wrap behind the
// others'.
TEST(Recorder, OldRecordsOfASilentStreamAreWrittenWithTheNextRunOfAnother) {
  TemporaryFolder folder;
  warpo_recorder *recorder = openFile(folder.file("s.rec"), WARPO_NO_LIMIT, 100);
  warpo_stream *silent = warpo_stream_open(recorder, 1), *busy = warpo_stream_open(recorder, 2);
  warpo_trace_point(silent, 1);
  warpo_trace_point(busy, 1);
  constexpr uint64_t maxAge = 1 << 29;
  silent->base -= maxAge;
  busy->base -= maxAge;
  warpo_trace_point(busy, 2);
  std::vector<warpo_record> records = readRecords(folder.file("s.rec"));
  EXPECT_EQ(idsOf(records, 1), oneTo(1));
  EXPECT_EQ(idsOf(records, 2), oneTo(1));
  warpo_trace_point(silent, 2);
  warpo_recorder_free(recorder);
  records = readRecords(folder.file("s.rec"));
  EXPECT_EQ(idsOf(records, 1), oneTo(2));
  EXPECT_EQ(idsOf(records, 2), oneTo(2));
}

TEST(Recorder, ASecondStreamOfAModuleIsRefusedWhileTheFirstIsOpen) {
  TemporaryFolder folder;
  warpo_recorder *recorder = openFile(folder.file("d.rec"));
  warpo_stream *first = warpo_stream_open(recorder, 9), *second = warpo_stream_open(recorder, 9);
  warpo_trace_point(first, 1);
  warpo_trace_point(second, 2);
  EXPECT_EQ(warpo_recorder_error(recorder), EBUSY);
  EXPECT_EQ(warpo_recorder_get_counts(recorder).lost_to_failure, 1u);
  warpo_stream_close(second);
  warpo_stream_close(first);
  warpo_stream *third = warpo_stream_open(recorder, 9);
  warpo_trace_point(third, 3);
  warpo_recorder_close(recorder);
  EXPECT_EQ(warpo_recorder_get_counts(recorder).written, 2u);
  EXPECT_EQ(warpo_recorder_get_counts(recorder).lost_to_failure, 1u);
  warpo_recorder_free(recorder);
  EXPECT_EQ(idsOf(readRecords(folder.file("d.rec")), 9), (std::vector<int32_t>{1, 3}));
}

/// What the recorder of the environment makes of ten events.
class RecorderEnvironment : public testing::Test {
protected:
  ~RecorderEnvironment() {
    for (const std::string &variable : set_)
      unsetenv(variable.c_str());
  }
  void set(const std::string &variable, const char *value) {
    set_.insert(variable);
    setenv(variable.c_str(), value, 1);
  }
  /// The recorder's counts and error; nothing if recording is off.
  std::optional<std::pair<warpo_recorder_counts, int>> recordTen() {
    warpo_recorder *recorder = warpo_recorder_open_from_environment();
    if (!recorder)
      return std::nullopt;
    warpo_stream *stream = warpo_stream_open(recorder, 3);
    for (int32_t id = 1; id <= 10; ++id)
      warpo_trace_point(stream, id);
    warpo_recorder_close(recorder);
    auto result = std::pair(warpo_recorder_get_counts(recorder), warpo_recorder_error(recorder));
    warpo_recorder_free(recorder);
    return result;
  }

  TemporaryFolder folder_;
  std::set<std::string> set_;
};

TEST_F(RecorderEnvironment, FileAndLimit) {
  struct {
    const char *name;
    bool withFile;
    const char *limit;
    bool fails;
    uint64_t written;
  } cases[] = {
      {"off", false, "", false, 0},
      {"limit alone", false, "5", false, 0},
      {"no limit", true, "", false, 10},
      {"limit", true, "5", false, 5},
      {"text", true, "many", true, 0},
      {"negative", true, "-1", true, 0},
      {"above 64 bits", true, "18446744073709551616", true, 0},
  };
  std::string file = folder_.file("e.rec");
  for (std::string prefix : {"WARP_TRACING_RECORDER", "WARPO_RECORDER"}) {
    for (const auto &test : cases) {
      SCOPED_TRACE(prefix + ": " + test.name);
      std::filesystem::remove(file);
      set(prefix + "_FILE", test.withFile ? file.c_str() : "");
      set(prefix + "_MAX_ITEMS", test.limit);
      auto result = recordTen();
      ASSERT_EQ(result.has_value(), test.withFile);
      EXPECT_EQ(std::filesystem::exists(file), test.withFile && !test.fails);
      if (!result)
        continue;
      EXPECT_EQ(result->second, test.fails ? EINVAL : 0);
      EXPECT_EQ(result->first.written, test.written);
    }
    set(prefix + "_FILE", "");
    set(prefix + "_MAX_ITEMS", "");
  }
}

TEST_F(RecorderEnvironment, FileAndFormat) {
  struct {
    const char *own, *warps, *format;
    const char *written;
    bool isWarpo;
  } cases[] = {
      {"a", "", "", "a", true},       {"", "b", "", "b", false},     {"a", "b", "", "a", true},
      {"a", "b", "warp", "a", false}, {"", "b", "warpo", "b", true}, {"a", "", "warp", "a", false},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(std::string("own ") + test.own + ", WARP's " + test.warps + ", " + test.format);
    auto path = [&](std::string name) { return name.empty() ? name : folder_.file(name); };
    for (const char *name : {"a", "b"})
      std::filesystem::remove(path(name));
    set("WARPO_RECORDER_FILE", path(test.own).c_str());
    set("WARP_TRACING_RECORDER_FILE", path(test.warps).c_str());
    set("WARPO_RECORDER_FORMAT", test.format);
    auto result = recordTen();
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->first.written, 10u);
    for (const char *name : {"a", "b"})
      EXPECT_EQ(std::filesystem::exists(path(name)), std::string(name) == test.written);
    std::ifstream in(path(test.written), std::ios::binary);
    std::string start(16, 0);
    in.read(start.data(), 16);
    EXPECT_EQ(start.substr(0, 6), test.isWarpo ? "\x89WARPO" : "___WAR");
  }
}

TEST_F(RecorderEnvironment, OurOwnLimitGoesFirst) {
  set("WARPO_RECORDER_FILE", folder_.file("l.warpo").c_str());
  set("WARPO_RECORDER_MAX_ITEMS", "3");
  set("WARP_TRACING_RECORDER_MAX_ITEMS", "7");
  EXPECT_EQ(recordTen()->first.written, 3u);
}

TEST(Recorder, TimesHaveTheLowHalfOfTheCounter) {
  TemporaryFolder folder;
  warpo_recorder *recorder = openFile(folder.file("t.rec"));
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 5);
  // Given here, so what is read must be exactly these; the wraps of 32 and of 29 bits among them.
  uint64_t start = warpo_clock();
  std::vector<uint32_t> given;
  int32_t id = 0;
  for (uint64_t step : {0u, 1u, 1u << 20, 1u << 29, (1u << 29) - 1, 3u << 30, 7u, 0xffffffffu}) {
    start += step;
    given.push_back(uint32_t(start));
    warpo_trace_event_at(stream, start, ++id);
  }
  warpo_recorder_free(recorder);
  std::vector<uint32_t> read;
  for (const warpo_record &record : readRecords(folder.file("t.rec")))
    read.push_back(record.time);
  EXPECT_EQ(read, given);
}

#if !defined(__aarch64__)
TEST(Recorder, HasNoRateOfACounterThatGoesBack) {
  warpo_clock_info clock = {};
  clock.kind = WARPO_CLOCK_COUNTER;
  clock.counts = clock.nanoseconds = 1;
  clock.origin = UINT64_MAX;
  warpo_clock_measure_rate(&clock);
  EXPECT_EQ(clock.counts, 0u);
  EXPECT_EQ(clock.nanoseconds, 0u);
}
#endif

TEST(Recorder, KnowsTheRateOfItsClock) {
  TemporaryFolder folder;
  warpo_recorder *recorder = openFile(folder.file("r.rec"));
  warpo_clock_rate rate = warpo_recorder_get_rate(recorder);
  warpo_recorder_free(recorder);
  EXPECT_GT(rate.counts, 0u);
  // A counter runs at 1 MHz to 10 GHz.
  EXPECT_GT(rate.nanoseconds * 10, rate.counts);
  EXPECT_LT(rate.nanoseconds, rate.counts * 1000);
  EXPECT_EQ(warpo_recorder_get_rate(nullptr).counts, 0u);
}

} // namespace
