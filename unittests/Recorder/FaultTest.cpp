// SPDX-License-Identifier: Apache-2.0
// Records of the format warpo when the process, its threads or its file fail: the host lives, the
// record stays readable, and what is missing is said.
#include "RecordFile.h"
#include "WarpoRecord.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warpo;

namespace {

TEST(RecorderFault, KilledAtAnyMoment) {
  TemporaryFolder folder;
  std::mt19937 random(7);
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    std::string file = folder.file("k.warpo");
    std::filesystem::remove(file);
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      warpo_recorder_options options = warpoOptions(file);
      options.buffer_bytes = 1 << 14;
      warpo_recorder *recorder = warpo_recorder_open(&options);
      warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
      // More than the buffer and a block hold: the first block has been written.
      recordCalls(stream, 40000);
      (void)!write(ready[1], "", 1);
      while (true)
        recordCalls(stream, 1000);
    }
    char byte;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    usleep(random() % 10000);
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    WarpoRecord record = readWarpo(file);
    ASSERT_FALSE(record.streams.empty());
    EXPECT_EQ(record.error, "");
    EXPECT_FALSE(record.isClosed);
    EXPECT_GT(record.events(), 0u);
    EXPECT_EQ(record.streams[0].ids.front(), 0x1000000);
    EXPECT_TRUE(record.lost.empty());
  }
}

TEST(RecorderFault, ALimitOnFileSize) {
  TemporaryFolder folder;
  std::string file = folder.file("f.warpo");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = {200000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
  recordCalls(stream, 500000);
  warpo_recorder_close(recorder);
  setrlimit(RLIMIT_FSIZE, &before);
  warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
  EXPECT_EQ(warpo_recorder_error(recorder), EFBIG);
  EXPECT_EQ(counts.written + counts.lost_to_failure, 1000000u);
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.events(), counts.written);
  EXPECT_EQ(record.lost[LossCause::writeFailed], counts.lost_to_failure);
  EXPECT_TRUE(record.isClosed);
  EXPECT_EQ(record.damaged, 0u);
}

TEST(RecorderFault, FilesThatCannotBeWritten) {
  for (const std::string file : {"/dev/full", "/nonexistent-folder/a.warpo", "/"})
    for (auto policy : {WARPO_POLICY_BLOCK, WARPO_POLICY_DROP, WARPO_POLICY_RING}) {
      SCOPED_TRACE(file);
      warpo_recorder_options options = warpoOptions(file, policy);
      warpo_recorder *recorder = warpo_recorder_open(&options);
      warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
      recordCalls(stream, 10);
      warpo_recorder_close(recorder);
      EXPECT_NE(warpo_recorder_error(recorder), 0);
      EXPECT_EQ(warpo_recorder_get_counts(recorder).written, 0u);
      EXPECT_EQ(warpo_recorder_get_counts(recorder).lost_to_failure, 20u);
      warpo_recorder_free(recorder);
    }
}

TEST(RecorderFault, ASecondRecorderOfAFileLeavesItAlone) {
  TemporaryFolder folder;
  for (auto format : {WARPO_FORMAT_WARP, WARPO_FORMAT_WARPO}) {
    std::string file = folder.file("f.rec");
    warpo_recorder_options options = warpoOptions(file);
    options.format = format;
    warpo_recorder *first = warpo_recorder_open(&options);
    warpo_event_stream *stream = warpo_event_stream_open(first, 1);
    recordCalls(stream, 3000);
    warpo_event_stream_flush(stream);
    pid_t child = fork();
    if (child == 0) {
      warpo_recorder *second = warpo_recorder_open(&options);
      bool isRefused = warpo_recorder_error(second) == EBUSY &&
                       strstr(warpo_recorder_error_text(second), "another recorder writes it");
      recordCalls(warpo_event_stream_open(second, 1), 10);
      warpo_recorder_free(second);
      _exit(!isRefused);
    }
    int status;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    warpo_recorder_free(first);
    auto reader = cantFail(warpo::openRecord(cantFail(warpo::InputStream::open(file))));
    warpo::RecordBatch batch;
    size_t events = 0;
    while (cantFail(reader->next(batch)))
      events += batch.size();
    EXPECT_EQ(events, 6000u);
    // Now it is nobody's.
    warpo_recorder *third = warpo_recorder_open(&options);
    EXPECT_EQ(warpo_recorder_error(third), 0);
    warpo_recorder_free(third);
  }
}

TEST(RecorderFault, APipeWhoseReaderGoesAway) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.format = WARPO_FORMAT_WARPO;
  options.fd = ends[1];
  options.buffer_bytes = 4096;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
  recordCalls(stream, 100);
  close(ends[0]);
  recordCalls(stream, 200000);
  warpo_recorder_close(recorder);
  warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
  EXPECT_EQ(warpo_recorder_error(recorder), EPIPE);
  EXPECT_EQ(counts.written + counts.lost_to_failure, 400200u);
  warpo_recorder_free(recorder);
  close(ends[1]);
}

TEST(RecorderFault, AForkedChildRecordsIntoAFileOfItsOwn) {
  TemporaryFolder folder;
  for (auto policy : {WARPO_POLICY_BLOCK, WARPO_POLICY_RING}) {
    std::string file = folder.file("p.warpo");
    warpo_recorder_options options = warpoOptions(file, policy);
    warpo_recorder *recorder = warpo_recorder_open(&options);
    const warpo_function_name names[] = {{0x1000000, "main"}};
    warpo_module_info info = {1, "app", nullptr, nullptr, 0, names, 1, nullptr, 0};
    warpo_recorder_add_module(recorder, &info);
    warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
    recordCalls(stream, 50);
    pid_t silent = fork();
    if (silent == 0)
      exit(0); // at which a recorder without events must do nothing
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      recordCalls(stream, 20);
      exit(0); // which writes the record
    }
    recordCalls(stream, 7);
    int status;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    waitpid(silent, &status, 0);
    EXPECT_EQ(status, 0);
    warpo_recorder_free(recorder);
    WarpoRecord own = readWarpo(file);
    EXPECT_EQ(own.events(), 114u);
    EXPECT_EQ(own.damaged, 0u);
    EXPECT_TRUE(own.isClosed);
    WarpoRecord other = readWarpo(file + "." + std::to_string(child));
    EXPECT_EQ(other.error, "");
    EXPECT_EQ(other.events(), 40u);
    EXPECT_TRUE(other.isClosed);
    ASSERT_EQ(other.header.modules.size(), 1u);
    EXPECT_EQ(other.header.modules[0].name, "app");
    EXPECT_FALSE(std::filesystem::exists(file + "." + std::to_string(silent)));
  }
}

TEST(RecorderFault, AForkedChildOpensAStream) {
  for (warpo_recorder_format format : {WARPO_FORMAT_WARP, WARPO_FORMAT_WARPO}) {
    TemporaryFolder folder;
    std::string file = folder.file("n");
    warpo_recorder_options options = warpoOptions(file);
    options.format = format;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    pid_t child = fork();
    if (child == 0) {
      recordCalls(warpo_event_stream_open(recorder, 7), 5);
      warpo_recorder_close(recorder);
      _exit(warpo_recorder_error(recorder) == 0 && warpo_recorder_get_counts(recorder).written == 10
                ? 0
                : 1);
    }
    int status;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    warpo_recorder_free(recorder);
    EXPECT_TRUE(std::filesystem::exists(file + "." + std::to_string(child)));
  }
}

TEST(RecorderFault, ForkWhileThreadsRecord) {
  TemporaryFolder folder;
  std::string file = folder.file("w.warpo");
  warpo_recorder_options options = warpoOptions(file);
  options.buffer_bytes = 8192;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([recorder] {
      warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
      recordCalls(stream, 100000);
      warpo_event_stream_close(stream);
    });
  // The list of modules moves all the time, and each child reads it.
  std::atomic<bool> done = false;
  threads.emplace_back([recorder, &done] {
    for (uint64_t id = 1000; !done; ++id) {
      warpo_module_info module = {};
      module.id = id;
      EXPECT_EQ(warpo_recorder_add_module(recorder, &module), 0);
    }
  });
  warpo_event_stream *own = warpo_event_stream_open(recorder, 2);
  for (int round = 0; round < 8; ++round) {
    pid_t child = fork();
    if (child == 0) {
      recordCalls(own, 4000);
      recordCalls(warpo_event_stream_open(recorder, 999), 1000);
      warpo_recorder_close(recorder);
      _exit(0); // the other threads' memory is nobody's here
    }
    int status;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    std::string childFile = file + "." + std::to_string(child);
    EXPECT_EQ(readWarpo(childFile).events(), 10000u);
    std::filesystem::remove(childFile);
  }
  done = true;
  for (std::thread &thread : threads)
    thread.join();
  warpo_recorder_free(recorder);
  EXPECT_EQ(readWarpo(file).events(), 800000u);
}

TEST(RecorderFault, ExitWithoutClosing) {
  TemporaryFolder folder;
  std::string file = folder.file("x.warpo");
  pid_t child = fork();
  if (child == 0) {
    warpo_recorder_options options = warpoOptions(file);
    recordCalls(warpo_event_stream_open(warpo_recorder_open(&options), 1), 10);
    exit(3);
  }
  int status;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.events(), 20u);
  EXPECT_TRUE(record.isClosed);
}

warpo_recorder *signalled;
int dumpError;

// The handler interrupts trace points at any instruction, those that turn the ring included.
TEST(RecorderFault, DumpFromASignalHandler) {
  TemporaryFolder folder;
  std::string file = folder.file("s.warpo");
  warpo_recorder_options options = warpoOptions(file, WARPO_POLICY_RING);
  options.buffer_bytes = 8192;
  signalled = warpo_recorder_open(&options);
  struct sigaction action = {};
  struct sigaction before;
  action.sa_handler = [](int) { dumpError |= warpo_recorder_dump(signalled, -1); };
  sigaction(SIGUSR1, &action, &before);
  warpo_event_stream *stream = warpo_event_stream_open(signalled, 1);
  std::thread sender([target = pthread_self()] {
    for (int i = 0; i < 40; ++i) {
      usleep(200);
      pthread_kill(target, SIGUSR1);
    }
  });
  recordCalls(stream, 2000000);
  sender.join();
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(dumpError, 0);
  warpo_recorder_free(signalled);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.events() + record.lost[LossCause::bufferFull], 4000000u);
  EXPECT_EQ(record.damaged, 0u);
}

} // namespace
