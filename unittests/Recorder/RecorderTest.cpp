// What the recorder writes when all goes well: bytes, order, limits, several threads, the
// environment.
#include "RecordFile.h"

#include <cerrno>
#include <cstdlib>
#include <numeric>
#include <thread>

extern "C" int recordOneCallInC(const char *file);

namespace {

warpo_recorder *openFile(const std::string &file, uint64_t maxItems = WARPO_NO_LIMIT,
                         size_t streamRecords = 4) {
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
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
  silent->base -= UINT64_C(1) << WARPO_WAIT_SHIFT;
  busy->base -= UINT64_C(1) << WARPO_WAIT_SHIFT;
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

TEST(Recorder, Environment) {
  TemporaryFolder folder;
  std::string file = folder.file("e.rec");
  struct {
    const char *name, *limit;
    bool withFile, fails;
    uint64_t written;
  } cases[] = {
      {"off", nullptr, false, false, 0},
      {"limit alone", "5", false, false, 0},
      {"no limit", nullptr, true, false, 10},
      {"empty limit", "", true, false, 10},
      {"limit", "5", true, false, 5},
      {"text", "many", true, true, 0},
      {"negative", "-1", true, true, 0},
      {"above 64 bits", "18446744073709551616", true, true, 0},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    std::filesystem::remove(file);
    setenv("WARP_TRACING_RECORDER_FILE", test.withFile ? file.c_str() : "", 1);
    if (test.limit)
      setenv("WARP_TRACING_RECORDER_MAX_ITEMS", test.limit, 1);
    else
      unsetenv("WARP_TRACING_RECORDER_MAX_ITEMS");
    warpo_recorder *recorder = warpo_recorder_open_from_environment();
    EXPECT_EQ(recorder != nullptr, test.withFile);
    warpo_stream *stream = warpo_stream_open(recorder, 3);
    for (int32_t id = 1; id <= 10; ++id)
      warpo_trace_point(stream, id);
    warpo_recorder_close(recorder);
    EXPECT_EQ(warpo_recorder_error(recorder), test.fails ? EINVAL : 0);
    EXPECT_EQ(warpo_recorder_get_counts(recorder).written, test.written);
    warpo_recorder_free(recorder);
    EXPECT_EQ(std::filesystem::exists(file), test.withFile && !test.fails);
  }
  unsetenv("WARP_TRACING_RECORDER_FILE");
  unsetenv("WARP_TRACING_RECORDER_MAX_ITEMS");
}

} // namespace
