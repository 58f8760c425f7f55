// SPDX-License-Identifier: Apache-2.0
// What the recorder does when the file does not: the host lives, the first error is kept, and
// losses are counted.
#include "RecordFile.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace {

warpo_recorder *openDescriptor(int fd, size_t streamRecords = 4) {
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.format = WARPO_FORMAT_WARP;
  options.fd = fd;
  options.stream_records = streamRecords;
  return warpo_recorder_open(&options);
}

/// Records ids 1 to `count` of module 1 and closes.
warpo_recorder_counts recordAndClose(warpo_recorder *recorder, int32_t count) {
  warpo_stream *stream = warpo_stream_open(recorder, 1);
  for (int32_t id = 1; id <= count; ++id)
    warpo_trace_point(stream, id);
  warpo_stream_close(stream);
  warpo_recorder_close(recorder);
  return warpo_recorder_get_counts(recorder);
}

TEST(RecorderFailure, FilesThatCannotBeWritten) {
  struct {
    const char *file;
    int error;
    const char *text;
  } cases[] = {
      {"/nonexistent-folder/a.rec", ENOENT,
       "/nonexistent-folder/a.rec: cannot open: No such file or directory"},
      {"/", EISDIR, "/: cannot open: Is a directory"},
      {"/dev/full", ENOSPC, "/dev/full: cannot write: No space left on device"},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.file);
    warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
    options.file = test.file;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    warpo_recorder_counts counts = recordAndClose(recorder, 10);
    EXPECT_EQ(warpo_recorder_error(recorder), test.error);
    EXPECT_STREQ(warpo_recorder_error_text(recorder), test.text);
    EXPECT_EQ(counts.written, 0u);
    EXPECT_EQ(counts.lost_to_failure, 10u);
    warpo_recorder_free(recorder);
  }
}

TEST(RecorderFailure, ADescriptorThatIsNotOpen) {
  warpo_recorder *recorder = openDescriptor(-1);
  EXPECT_EQ(recordAndClose(recorder, 3).lost_to_failure, 3u);
  EXPECT_EQ(warpo_recorder_error(recorder), EBADF);
  warpo_recorder_free(recorder);
}

TEST(RecorderFailure, APipeWhoseReaderGoesAway) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  warpo_recorder *recorder = openDescriptor(ends[1]);
  warpo_stream *stream = warpo_stream_open(recorder, 1);
  for (int32_t id = 1; id <= 5; ++id)
    warpo_trace_point(stream, id);
  close(ends[0]);
  for (int32_t id = 6; id <= 20; ++id)
    warpo_trace_point(stream, id);
  warpo_recorder_close(recorder);
  warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
  EXPECT_EQ(warpo_recorder_error(recorder), EPIPE);
  EXPECT_EQ(counts.written, 4u);
  EXPECT_EQ(counts.lost_to_failure, 16u);
  warpo_recorder_free(recorder);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
  EXPECT_GE(fcntl(ends[1], F_GETFD), 0) << "the descriptor belongs to the caller";
  close(ends[1]);
}

TEST(RecorderFailure, AFullNonBlockingPipeIsWaitedFor) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  constexpr int32_t count = 20000;
  size_t received = 0;
  std::thread reader([&received, fd = ends[0]] {
    fcntl(fd, F_SETFL, 0);
    char bytes[5000];
    for (ssize_t got; (got = read(fd, bytes, sizeof(bytes))) > 0;)
      received += size_t(got);
  });
  warpo_recorder *recorder = openDescriptor(ends[1], 10000);
  warpo_recorder_counts counts = recordAndClose(recorder, count);
  close(ends[1]);
  reader.join();
  close(ends[0]);
  EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
  EXPECT_EQ(counts.written, uint64_t(count));
  EXPECT_EQ(received, size_t(count + 1) * 16);
  warpo_recorder_free(recorder);
}

TEST(RecorderFailure, ALimitOnFileSizeLeavesWholeRecords) {
  TemporaryFolder folder;
  std::string file = folder.file("full.rec");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = {16 + 10 * 16 + 5, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.file = file.c_str();
  options.format = WARPO_FORMAT_WARP;
  options.stream_records = 4;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_recorder_counts counts = recordAndClose(recorder, 30);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(warpo_recorder_error(recorder), EFBIG);
  EXPECT_EQ(counts.written, 10u);
  EXPECT_EQ(counts.lost_to_failure, 20u);
  warpo_recorder_free(recorder);
  EXPECT_EQ(readRecords(file).size(), 10u);
}

} // namespace
