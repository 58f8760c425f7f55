// SPDX-License-Identifier: Apache-2.0
// Every event that was offered is in the record, or counted in it: whatever the policy, whenever
// the process is killed, whichever system call fails.
//
// Each case records in a process of its own what a seed says. WARPO_COUNTED_ROUNDS takes more
// seeds.
#include "FailingCalls.h"
#include "RecordFile.h"
#include "WarpoRecord.h"
#include "warpo/Recorder/sample_stream.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <random>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warpo;

namespace {

constexpr int threads = 2;

enum class Ending { close, exit, killed };

struct Case {
  warpo_recorder_policy policy;
  bool isCrashSafe;
  Ending ending;
  Failure failure;
  uint64_t maxItems = WARPO_NO_LIMIT;
  uint64_t maxBytes = WARPO_NO_LIMIT;
  /// The file system has so much room for each file.
  uint64_t room = 0;

  bool isUndisturbed() const {
    return failure.call == Call::none && maxItems == WARPO_NO_LIMIT && maxBytes == WARPO_NO_LIMIT &&
           room == 0;
  }
};

/// What the recording process says of itself.
struct Witness {
  /// Trace points that have returned, by thread.
  std::atomic<uint64_t> offered[threads];
  /// Those among them, or about to be, whose ids mean nothing.
  std::atomic<uint64_t> meaningless;
  warpo_recorder_counts counts;
  bool hasCounts;
  /// The record could not be opened.
  bool isRefused;

  uint64_t sum() const { return offered[0] + offered[1]; }
};

/// Open streams of one thread, of all kinds, and what it does with them.
class Program {
public:
  Program(warpo_recorder *recorder, Witness &witness, int thread, uint64_t seed, bool samples)
      : recorder_(recorder), offered_(witness.offered[thread]), meaningless_(witness.meaningless),
        random_(seed) {
    if (samples)
      samples_ = warpo_sample_stream_open(recorder, 9, WARPO_SAMPLED_BY_FUEL, 10);
  }

  void step() {
    unsigned choice = random_() % 100;
    if (streams_.empty() || choice < 6)
      open();
    else if (choice < 10)
      close(random_() % streams_.size());
    else if (choice < 12)
      flush(streams_[random_() % streams_.size()]);
    else if (choice < 14)
      // More than are kept of a ring, each with a few events.
      for (unsigned i = random_() % 30; i > 0; --i) {
        open();
        if (streams_.empty())
          continue;
        record(streams_.back(), 1 + random_() % 5);
        close(streams_.size() - 1);
      }
    else
      record(streams_[random_() % streams_.size()], 1 + random_() % 1500);
  }

  void finish() {
    while (!streams_.empty())
      close(streams_.size() - 1);
    warpo_sample_stream_close(samples_);
  }

private:
  struct Open {
    warpo_stream *records = nullptr;
    warpo_event_stream *events = nullptr, *fuel = nullptr;
    uint64_t burnt = 0;
  };

  void open() {
    Open stream;
    uint64_t module = 1 + random_() % 5;
    unsigned kind = random_() % 4;
    if (kind == 0)
      stream.records = warpo_stream_open(recorder_, module);
    else if (kind == 1)
      stream.fuel = warpo_event_stream_open_fuel(recorder_, module);
    else
      stream.events = warpo_event_stream_open(recorder_, module);
    // Without memory there is none, and nobody to offer events to.
    if (stream.records || stream.fuel || stream.events)
      streams_.push_back(stream);
  }

  void close(size_t index) {
    warpo_stream_close(streams_[index].records);
    warpo_event_stream_close(streams_[index].events);
    warpo_event_stream_close(streams_[index].fuel);
    streams_.erase(streams_.begin() + ptrdiff_t(index));
  }

  static void flush(const Open &stream) {
    warpo_stream_flush(stream.records);
    warpo_event_stream_flush(stream.events);
    warpo_event_stream_flush(stream.fuel);
  }

  // Calls, now and then an end of another one, and ids that mean nothing.
  void record(Open &stream, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      unsigned choice = random_() % 1000;
      int32_t id = int32_t(0x1000000 + i / 2 % 7);
      if (choice < 2) {
        id = choice == 0 ? 0 : INT32_MIN;
        ++meaningless_;
      } else if (choice < 5)
        id = -int32_t(choice);
      else if (i % 2 == 1)
        id = -id;
      if (choice < 8 && samples_) {
        const warpo_sample_frame frames[] = {{9, id > 0 ? id : 1, nullptr}, {0, 0, "guest"}};
        warpo_sample(samples_, 0, frames, 2);
        offered_.store(offered_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
      }
      warpo_trace_point(stream.records, id);
      warpo_trace_event(stream.events, id);
      warpo_trace_event_fuel(stream.fuel, id, stream.burnt += choice);
      offered_.store(offered_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
  }

  warpo_recorder *recorder_;
  std::atomic<uint64_t> &offered_, &meaningless_;
  std::mt19937_64 random_;
  std::vector<Open> streams_;
  warpo_sample_stream *samples_ = nullptr;
};

warpo_recorder *killedRecorder;

[[noreturn]] void recordCase(const Case &test, const std::string &file, uint64_t seed,
                             Witness &witness) {
  std::mt19937_64 random(seed);
  if (test.room != 0) {
    rlimit limit = {test.room, test.room};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  warpo_recorder_options options = warpoOptions(file, test.policy);
  options.crash_safe = test.isCrashSafe;
  options.buffer_bytes = 4096 << random() % 3;
  options.max_items = test.maxItems;
  options.max_bytes = test.maxBytes;
  setFailure(test.failure);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  witness.isRefused = !recorder || warpo_recorder_error(recorder) != 0;
  if (!recorder && test.ending == Ending::killed)
    kill(getpid(), SIGKILL);
  if (!recorder)
    _exit(0); // no memory: nothing can be offered
  bool takesSamples = test.policy != WARPO_POLICY_RING && !test.isCrashSafe && random() % 2;
  unsigned steps = 1 + random() % 30;
  auto run = [&](int thread) {
    Program program(recorder, witness, thread, seed * threads + thread, takesSamples);
    for (unsigned i = 0; i < steps; ++i)
      program.step();
    // In the middle of what the other threads do; or the parent does it, at any moment.
    if (test.ending == Ending::killed && thread == 0 && seed % 4 != 0)
      kill(getpid(), SIGKILL);
    if (seed % 2 && test.ending != Ending::killed)
      program.finish();
  };
  std::thread other(run, 1);
  run(0);
  other.join();
  if (test.ending == Ending::killed)
    pause();
  if (test.ending == Ending::exit) {
    killedRecorder = recorder;
    exit(0);
  }
  warpo_recorder_close(recorder);
  witness.counts = warpo_recorder_get_counts(recorder);
  witness.hasCounts = true;
  _exit(0);
}

/// Runs it; returns whether it was killed.
bool run(const Case &test, const std::string &file, uint64_t seed, Witness &witness) {
  pid_t child = fork();
  if (child == 0)
    recordCase(test, file, seed, witness);
  std::mt19937_64 random(seed);
  if (test.ending == Ending::killed && seed % 4 == 0) {
    // Where no stream can be opened, nothing is offered.
    uint64_t least = 1 + random() % 4000;
    for (int i = 0; i < 1000 && witness.sum() < least; ++i)
      usleep(50);
    usleep(random() % 4000);
    kill(child, SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WIFSIGNALED(status), test.ending == Ending::killed)
      << "signal " << WTERMSIG(status) << ", code " << WEXITSTATUS(status);
  return test.ending == Ending::killed;
}

/// What the last block of a record says, if that is an end: events and losses.
struct End {
  bool isThere = false;
  uint64_t events = 0, lost = 0;
};
End readEnd(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  constexpr size_t size = 16 + 24;
  if (bytes.size() < size || bytes.compare(bytes.size() - size, 5, "WBLK\x06") != 0)
    return {};
  End end{true};
  std::memcpy(&end.events, bytes.data() + bytes.size() - 16, 8);
  std::memcpy(&end.lost, bytes.data() + bytes.size() - 8, 8);
  return end;
}

// Recovers as if the disk were full the first time, for every second seed.
void recover(const std::string &file, uint64_t seed) {
  if (seed % 2) {
    setFailure({Call::write, seed % 5, Failure::forever, ENOSPC, seed % 3 == 0});
    uint64_t added;
    int error = warpo_recorder_recover(file.c_str(), &added);
    setFailure({});
    if (error == 0)
      return;
    EXPECT_EQ(error, ENOSPC);
  }
  EXPECT_EQ(warpo_recorder_recover(file.c_str(), nullptr), 0);
}

class Counted : public testing::Test {
protected:
  Counted()
      : witness_(*new(mmap(nullptr, sizeof(Witness), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Witness) {}
  ~Counted() { munmap(&witness_, sizeof(Witness)); }

  static uint64_t rounds() {
    const char *text = getenv("WARPO_COUNTED_ROUNDS");
    return text ? strtoull(text, nullptr, 10) : 1;
  }

  void check(const Case &test) {
    for (uint64_t round = 0; round < rounds(); ++round)
      checkOnce(test, cases_++);
  }

  void checkOnce(const Case &test, uint64_t seed) {
    SCOPED_TRACE("policy " + std::to_string(test.policy) + ", crash safe " +
                 std::to_string(test.isCrashSafe) + ", ending " + std::to_string(int(test.ending)) +
                 ", call " + std::to_string(int(test.failure.call)) + " from " +
                 std::to_string(test.failure.first) + " on " + std::to_string(test.failure.times) +
                 " times, half " + std::to_string(test.failure.takesHalf) + ", room " +
                 std::to_string(test.room) + ", seed " + std::to_string(seed));
    for (std::atomic<uint64_t> &offered : witness_.offered)
      offered = 0;
    witness_.meaningless = 0;
    witness_.hasCounts = witness_.isRefused = false;
    std::filesystem::remove(file_);
    std::filesystem::remove(file_ + ".live");
    bool wasKilled = run(test, file_, seed, witness_);
    if (wasKilled && std::filesystem::exists(file_ + ".live"))
      recover(file_, seed);
    EXPECT_FALSE(std::filesystem::exists(file_ + ".live"));
    uint64_t offered = witness_.sum();
    WarpoRecord record = readWarpo(file_);
    uint64_t inRecord = record.events() + record.samples.size();
    if (witness_.hasCounts) {
      const warpo_recorder_counts &counts = witness_.counts;
      EXPECT_EQ(counts.written + counts.lost_to_limit + counts.lost_to_failure +
                    counts.lost_to_buffer + counts.meaningless,
                offered);
      EXPECT_EQ(counts.written, inRecord);
    }
    End end = readEnd(file_);
    if (!end.isThere) {
      // Then the record does not say that it is whole.
      EXPECT_TRUE(!record.isClosed || !record.error.empty());
      EXPECT_TRUE(witness_.isRefused || mayBeCut(test)) << record.error;
      ++cut_;
      return;
    }
    if (record.header.streams.empty() && end.lost != 0) {
      EXPECT_NE(record.error.find("no events: " + std::to_string(end.lost)), std::string::npos)
          << record.error;
      record.lost[LossCause::unknown] = end.lost;
    } else {
      EXPECT_EQ(record.error, "");
    }
    EXPECT_TRUE(record.isClosed);
    EXPECT_EQ(record.damaged, 0u);
    EXPECT_EQ(end.events, inRecord);
    EXPECT_GE(inRecord + end.lost, offered);
    // Each thread may have been within a trace point.
    EXPECT_LE(inRecord + end.lost, offered + (wasKilled ? threads : 0));
    uint64_t reported = 0;
    for (auto [cause, count] : record.lost)
      reported += count;
    EXPECT_EQ(reported, end.lost) << "as a reader reports it";
    // All streams are in the record then, and say at their place what is missing of them.
    if (test.isUndisturbed() && test.policy != WARPO_POLICY_RING) {
      EXPECT_LE(record.lost[LossCause::unknown], witness_.meaningless);
    }
    events_ += offered;
    lost_ += end.lost;
  }

  /// Where nothing can be written, nothing can be said.
  static bool mayBeCut(const Case &test) {
    return (test.ending == Ending::killed && !test.isCrashSafe) ||
           test.failure.times == Failure::forever || (test.room != 0 && test.room < 1024);
  }

  void TearDown() override {
    EXPECT_LT(cut_, cases_);
    RecordProperty("cases", int(cases_));
    std::cout << cases_ << " cases, of them " << cut_ << " cut off; " << events_
              << " events offered, of them " << lost_ << " counted as lost\n";
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("c.warpo");
  Witness &witness_;
  uint64_t cases_ = 0, cut_ = 0, events_ = 0, lost_ = 0;
};

constexpr warpo_recorder_policy policies[] = {WARPO_POLICY_BLOCK, WARPO_POLICY_DROP,
                                              WARPO_POLICY_RING};

TEST_F(Counted, WithoutFailures) {
  for (auto policy : policies)
    for (bool isCrashSafe : {false, true})
      for (auto ending : {Ending::close, Ending::exit})
        for (int i = 0; i < 4; ++i)
          check({policy, isCrashSafe, ending, {}});
}

TEST_F(Counted, Killed) {
  for (auto policy : policies) {
    check({policy, false, Ending::killed, {}});
    for (int i = 0; i < 40; ++i)
      check({policy, true, Ending::killed, {}});
  }
}

TEST_F(Counted, Limits) {
  for (auto policy : policies)
    for (bool isCrashSafe : {false, true})
      for (uint64_t limit : {0, 1, 100, 3000}) {
        Case test{policy, isCrashSafe, limit % 2 ? Ending::killed : Ending::close, {}};
        test.maxItems = limit;
        check(test);
        test.maxItems = WARPO_NO_LIMIT;
        test.maxBytes = 512 + 40 * limit;
        if (policy != WARPO_POLICY_RING)
          check(test);
      }
}

TEST_F(Counted, FailingCalls) {
  for (auto policy : policies)
    for (bool isCrashSafe : {false, true})
      for (int call = 1; call <= int(lastCall); ++call)
        for (uint64_t first : {0, 1, 2, 3, 7})
          for (uint64_t times : {uint64_t(1), Failure::forever}) {
            bool isKilled = isCrashSafe && first % 2;
            Failure failure{Call(call), first, times, ENOSPC, first == 2 || first == 7};
            check({policy, isCrashSafe, isKilled ? Ending::killed : Ending::close, failure});
          }
}

TEST_F(Counted, FullDisks) {
  for (auto policy : policies)
    for (bool isCrashSafe : {false, true})
      for (int i = 0; i < 12; ++i) {
        Case test{policy, isCrashSafe, Ending::close, {}};
        test.room = 300 + 97 * i * i * i;
        check(test);
      }
}

} // namespace
