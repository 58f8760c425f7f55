// SPDX-License-Identifier: Apache-2.0
// Crash-safe recorders: whatever kills the process, what was stored is in the record.
#include "RecordFile.h"
#include "WarpoRecord.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <random>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warpo;

namespace {

warpo_recorder_options safeOptions(const std::string &file,
                                   warpo_recorder_policy policy = WARPO_POLICY_BLOCK) {
  warpo_recorder_options options = warpoOptions(file, policy);
  options.buffer_bytes = 1 << 14;
  options.crash_safe = 1;
  return options;
}

std::string contentsOf(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

// The id of the event with this number: calls that nest three deep.
int32_t idOf(uint64_t number) {
  static constexpr int steps[] = {1, 2, 3, -3, -2, -1};
  int step = steps[number % 6];
  int32_t id = 0x1000000 + (step < 0 ? -step : step) + int32_t(number / 6 % 5) * 3;
  return step < 0 ? -id : id;
}

// Records forever, and says after each event how many there have been.
[[noreturn]] void recordUntilKilled(const warpo_recorder_options &options, unsigned pause,
                                    std::atomic<uint64_t> &stored) {
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
  if (!stream || warpo_recorder_error(recorder) != 0)
    _exit(1);
  for (uint64_t number = 0;; ++number) {
    warpo_trace_event(stream, idOf(number));
    stored.store(number + 1, std::memory_order_release);
    if (pause)
      usleep(pause);
  }
}

class CrashSafe : public testing::TestWithParam<warpo_recorder_policy> {
protected:
  // Kills a process that rests so many microseconds after each event, a while after it has stored
  // at least `least` events.
  void killAfter(uint64_t least, unsigned microseconds, unsigned pause = 0) {
    stored().store(0);
    std::filesystem::remove(file_);
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      recordUntilKilled(safeOptions(file_, GetParam()), pause, stored());
    while (stored() < least && waitpid(child, nullptr, WNOHANG) == 0)
      usleep(100);
    usleep(microseconds);
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
  }

  // Recovers the record, which must hold all events that were stored, or of a ring the last ones.
  void expectAllThatWasStored() {
    uint64_t added = 0;
    ASSERT_EQ(warpo_recorder_recover(file_.c_str(), &added), 0);
    EXPECT_FALSE(std::filesystem::exists(file_ + ".live"));
    EXPECT_EQ(warpo_recorder_recover(file_.c_str(), nullptr), ENOENT);
    WarpoRecord record = readWarpo(file_);
    EXPECT_EQ(record.error, "");
    EXPECT_EQ(record.damaged, 0u);
    EXPECT_TRUE(record.isClosed);
    ASSERT_EQ(record.streams.size(), 1u);
    const std::vector<int32_t> &ids = record.streams[0].ids;
    bool isRing = GetParam() == WARPO_POLICY_RING;
    // Where the events that are there end: the last one may have been stored and not counted yet.
    uint64_t last = stored();
    if (!ids.empty() && (isRing ? ids.back() == idOf(last) : ids.size() == last + 1))
      ++last;
    ASSERT_LE(ids.size(), last);
    if (!isRing) {
      EXPECT_EQ(ids.size(), last);
    }
    for (size_t i = 0; i < ids.size(); ++i)
      ASSERT_EQ(ids[i], idOf(last - ids.size() + i)) << i << " of " << ids.size();
    if (isRing) {
      EXPECT_EQ(record.lost[warpo::LossCause::bufferFull], last - ids.size());
    }
    if (isRing && last > 2048) {
      EXPECT_GE(ids.size(), 2048 - 2048 / 16u);
    }
  }

  std::atomic<uint64_t> &stored() { return *static_cast<std::atomic<uint64_t> *>(shared_); }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("k.warpo");
  void *shared_ = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
};

TEST_P(CrashSafe, AKilledProcessLosesAtMostTheEventBeingStored) {
  std::mt19937 random(3);
  for (int round = 0; round < 15; ++round) {
    SCOPED_TRACE(round);
    killAfter(random() % 20000, random() % 3000);
    expectAllThatWasStored();
  }
}

// Twice a second the writer takes what a chunk holds so far.
TEST_P(CrashSafe, NothingIsThereTwice) {
  killAfter(1, 700000, 3000);
  expectAllThatWasStored();
}

TEST_P(CrashSafe, DamagedFilesAreRefusedOrHarmless) {
  std::mt19937 random(5);
  killAfter(10000, 0);
  std::string live = contentsOf(file_ + ".live"), record = contentsOf(file_);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = live;
    // The numbers at the start of the header and of the stream.
    for (int changes = random() % 3 + 1; changes-- > 0;)
      damaged[(random() % 2 << 16) + random() % 200] = char(random());
    if (round % 10 == 0)
      damaged.resize(random() % damaged.size());
    std::ofstream(file_ + ".live") << damaged;
    std::ofstream(file_) << record;
    int error = warpo_recorder_recover(file_.c_str(), nullptr);
    EXPECT_TRUE(error == 0 || error == EINVAL) << std::strerror(error);
    EXPECT_NE(error == 0, std::filesystem::exists(file_ + ".live"));
    if (error != 0) {
      EXPECT_EQ(contentsOf(file_), record);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, CrashSafe, testing::Values(WARPO_POLICY_BLOCK, WARPO_POLICY_RING));

TEST(CrashSafeRecorder, TakesItsFileAwayAndSharesItWithNobody) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = safeOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  // Streams that come and go use the same room.
  uintmax_t size = 0;
  for (int i = 0; i < 50; ++i) {
    warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
    recordCalls(stream, 100);
    if (i == 0) {
      EXPECT_EQ(warpo_recorder_recover(file.c_str(), nullptr), EBUSY);
      size = std::filesystem::file_size(file + ".live");
    }
    warpo_event_stream_close(stream);
  }
  EXPECT_EQ(std::filesystem::file_size(file + ".live"), size);
  warpo_recorder_free(recorder);
  EXPECT_FALSE(std::filesystem::exists(file + ".live"));
  EXPECT_EQ(readWarpo(file).events(), 50u * 200);
}

TEST(CrashSafeRecorder, ASecondOneOfTheFileIsRefused) {
  TemporaryFolder folder;
  std::string file = folder.file("s.warpo");
  warpo_recorder_options options = safeOptions(file);
  warpo_recorder *first = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open(first, 1);
  recordCalls(stream, 10);
  warpo_recorder *second = warpo_recorder_open(&options);
  EXPECT_EQ(warpo_recorder_error(second), EBUSY);
  // Its buffer is still there.
  recordCalls(stream, 3000);
  warpo_recorder_free(second);
  EXPECT_TRUE(std::filesystem::exists(file + ".live"));
  warpo_recorder_free(first);
  EXPECT_FALSE(std::filesystem::exists(file + ".live"));
}

TEST(CrashSafeRecorder, AForkedChildLeavesItAlone) {
  TemporaryFolder folder;
  std::string file = folder.file("f.warpo");
  warpo_recorder_options options = safeOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
  recordCalls(stream, 1000);
  pid_t child = fork();
  if (child == 0) {
    recordCalls(stream, 3000);
    warpo_recorder_close(recorder);
    _exit(warpo_recorder_error(recorder) == 0 ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  recordCalls(stream, 1000);
  EXPECT_TRUE(std::filesystem::exists(file + ".live"));
  warpo_recorder_free(recorder);
  EXPECT_EQ(readWarpo(file).events(), 4000u);
  EXPECT_EQ(readWarpo(file + "." + std::to_string(child)).events(), 6000u);
}

TEST(CrashSafeRecorder, AForkedChildUsesClosedStreamsOfARingAgain) {
  TemporaryFolder folder;
  std::string file = folder.file("r.warpo");
  warpo_recorder_options options = safeOptions(file, WARPO_POLICY_RING);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  for (int i = 0; i < 16; ++i) {
    warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
    recordCalls(stream, 10);
    warpo_event_stream_close(stream);
  }
  pid_t child = fork();
  if (child == 0) {
    recordCalls(warpo_event_stream_open(recorder, 1), 10);
    warpo_recorder_close(recorder);
    _exit(warpo_recorder_error(recorder) == 0 ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  warpo_recorder_free(recorder);
  EXPECT_EQ(readWarpo(file).events(), 16u * 20);
  EXPECT_EQ(readWarpo(file + "." + std::to_string(child)).events(), 20u);
}

// Nothing of the stream is recorded, and that is said: by the interface and in the record, also if
// the process is killed.
TEST(CrashSafeRecorder, ALackOfRoomIsAnErrorAtTheStart) {
  TemporaryFolder folder;
  std::string file = folder.file("l.warpo");
  for (auto policy : {WARPO_POLICY_BLOCK, WARPO_POLICY_RING})
    for (bool isKilled : {false, true}) {
      pid_t child = fork();
      if (child == 0) {
        rlimit limit = {1 << 17, 1 << 17};
        setrlimit(RLIMIT_FSIZE, &limit);
        warpo_recorder_options options = safeOptions(file, policy);
        options.buffer_bytes = 1 << 20;
        warpo_recorder *recorder = warpo_recorder_open(&options);
        warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
        recordCalls(stream, 15);
        bool isRefused = stream && warpo_recorder_error(recorder) == EFBIG &&
                         warpo_recorder_get_counts(recorder).lost_to_failure == 30;
        if (isRefused && isKilled)
          kill(getpid(), SIGKILL);
        warpo_recorder_free(recorder);
        _exit(isRefused ? 0 : 1);
      }
      int status;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, isKilled ? SIGKILL : 0);
      EXPECT_EQ(warpo_recorder_recover(file.c_str(), nullptr), isKilled ? 0 : ENOENT);
      WarpoRecord record = readWarpo(file);
      if (isKilled) {
        EXPECT_NE(record.error.find("no events: 30 events lost"), std::string::npos);
      } else {
        EXPECT_EQ(record.lost[LossCause::writeFailed], 30u);
      }
    }
}

} // namespace
