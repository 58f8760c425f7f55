// SPDX-License-Identifier: Apache-2.0
// Streams whose events have fuel: every policy, forks, processes that are killed, and records that
// have no other clock.
#include "RecordFile.h"
#include "WarpoRecord.h"

#include "warpo/Recorder/sample_stream.h"
#include "warpo/Recorder/section.h"

#include <cerrno>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warpo;

namespace {

constexpr uint64_t count = 20000;

int32_t idOf(uint64_t i) {
  int32_t id = int32_t(0x1000000 + i / 2 % 7);
  return i % 2 == 0 ? id : -id;
}

// Steps of all lengths, large ones too.
uint64_t fuelOf(uint64_t i) { return i * 3 + (i > count / 2 ? uint64_t(1) << 40 : 0); }

void recordFuel(warpo_event_stream *stream, uint64_t first = 0, uint64_t last = count) {
  for (uint64_t i = first; i < last; ++i)
    warpo_trace_event_fuel(stream, idOf(i), fuelOf(i));
}

// Expects the events `first` to count - 1.
void expectFuel(const WarpoRecord::Stream &stream, uint64_t first = 0) {
  ASSERT_EQ(stream.ids.size(), count - first);
  ASSERT_EQ(stream.fuel.size(), count - first);
  for (uint64_t i = first; i < count && !testing::Test::HasFailure(); ++i) {
    EXPECT_EQ(stream.ids[i - first], idOf(i)) << i;
    EXPECT_EQ(stream.fuel[i - first], fuelOf(i)) << i;
  }
}

class FuelPolicies : public testing::TestWithParam<std::tuple<warpo_recorder_policy, bool>> {};

TEST_P(FuelPolicies, KeepFuelWithItsEvent) {
  auto [policy, isSafe] = GetParam();
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file, policy);
  options.buffer_bytes = policy == WARPO_POLICY_BLOCK ? 1 << 13 : 1 << 20;
  options.crash_safe = isSafe;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open_fuel(recorder, 7);
  warpo_event_stream *other = warpo_event_stream_open(recorder, 8);
  recordFuel(stream);
  recordCalls(other, 10);
  warpo_event_stream_close(stream);
  warpo_event_stream_close(other);
  warpo_recorder_close(recorder);
  EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
  warpo_recorder_free(recorder);

  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.damaged, 0u);
  EXPECT_TRUE(record.header.hasTime());
  ASSERT_EQ(record.header.columns().size(), 1u);
  EXPECT_EQ(record.header.columns()[0].clock(), "fuel");
  ASSERT_EQ(record.streams.size(), 2u);
  size_t own = record.streams[0].module == 7 ? 0 : 1;
  expectFuel(record.streams[own]);
  EXPECT_EQ(record.streams[1 - own].ids.size(), 20u);
  EXPECT_TRUE(record.streams[1 - own].fuel.empty());
}

INSTANTIATE_TEST_SUITE_P(All, FuelPolicies,
                         testing::Combine(testing::Values(WARPO_POLICY_BLOCK, WARPO_POLICY_DROP,
                                                          WARPO_POLICY_RING),
                                          testing::Bool()));

TEST(RecorderFuel, ARingKeepsTheLastEvents) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file, WARPO_POLICY_RING);
  options.buffer_bytes = 1 << 14;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  recordFuel(warpo_event_stream_open_fuel(recorder, 7));
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  uint64_t kept = record.events();
  EXPECT_GT(kept, 900u);
  EXPECT_LE(kept, 1024u);
  EXPECT_EQ(record.lost[LossCause::bufferFull], count - kept);
  expectFuel(record.streams[0], count - kept);
}

// What made room for them was lost at 0 too, not at the time before that.
TEST(RecorderFuel, ARingBeginsAtZero) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  for (bool isKilled : {false, true}) {
    pid_t child = fork();
    if (child == 0) {
      warpo_recorder_options options = warpoOptions(file, WARPO_POLICY_RING);
      options.buffer_bytes = 1 << 14;
      options.crash_safe = isKilled;
      options.clock = WARPO_CLOCK_FUEL;
      warpo_recorder *recorder = warpo_recorder_open(&options);
      warpo_event_stream *stream = warpo_event_stream_open(recorder, 7);
      for (uint64_t i = 0; i < count; ++i)
        warpo_trace_event_at(stream, 0, idOf(i));
      if (isKilled)
        raise(SIGKILL);
      warpo_recorder_free(recorder);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    if (isKilled) {
      EXPECT_EQ(warpo_recorder_recover(file.c_str(), nullptr), 0);
    }
    WarpoRecord record = readWarpo(file);
    EXPECT_EQ(record.stepsBack, 0u);
    EXPECT_EQ(record.lost[LossCause::bufferFull], count - record.events());
    ASSERT_EQ(record.streams.size(), 1u);
    EXPECT_EQ(record.streams[0].times, std::vector<uint64_t>(record.events(), 0));
  }
}

class KilledFuel
    : public testing::TestWithParam<std::tuple<warpo_recorder_policy, warpo_recorder_clock>> {};

TEST_P(KilledFuel, LosesNothing) {
  auto [policy, clock] = GetParam();
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  pid_t child = fork();
  if (child == 0) {
    warpo_recorder_options options = warpoOptions(file, policy);
    options.buffer_bytes = 1 << 20;
    options.crash_safe = 1;
    options.clock = clock;
    recordFuel(warpo_event_stream_open_fuel(warpo_recorder_open(&options), 7));
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(warpo_recorder_recover(file.c_str(), nullptr), 0);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.damaged + record.stepsBack, 0u);
  ASSERT_EQ(record.streams.size(), 1u);
  if (clock == WARPO_CLOCK_FUEL)
    record.streams[0].fuel = record.streams[0].times;
  expectFuel(record.streams[0]);
}

INSTANTIATE_TEST_SUITE_P(All, KilledFuel,
                         testing::Combine(testing::Values(WARPO_POLICY_BLOCK, WARPO_POLICY_RING),
                                          testing::Values(WARPO_CLOCK_COUNTER, WARPO_CLOCK_FUEL)));

TEST(RecorderFuel, AChildOfAForkGoesOn) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open_fuel(recorder, 7);
  recordFuel(stream, 0, 100);
  pid_t child = fork();
  recordFuel(stream, 100);
  warpo_recorder_free(recorder);
  if (child == 0)
    _exit(0);
  waitpid(child, nullptr, 0);
  expectFuel(readWarpo(file).streams.at(0));
  WarpoRecord forked = readWarpo(file + "." + std::to_string(child));
  ASSERT_EQ(forked.header.columns().size(), 1u);
  EXPECT_EQ(forked.header.columns()[0].clock(), "fuel");
  expectFuel(forked.streams.at(0), 100);
}

// Where fuel is the only clock streams are declared when they are opened; in a child there is no
// record yet.
TEST(RecorderFuel, AChildOfAForkOpensAStream) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  options.clock = WARPO_CLOCK_FUEL;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open_fuel(recorder, 7);
  pid_t child = fork();
  warpo_event_stream *own = warpo_event_stream_open_fuel(recorder, 8);
  recordFuel(stream);
  recordFuel(own);
  warpo_recorder_close(recorder);
  bool isWhole = warpo_recorder_error(recorder) == 0;
  warpo_recorder_free(recorder);
  if (child == 0)
    _exit(isWhole ? 0 : 1);
  EXPECT_TRUE(isWhole);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  for (const std::string &name : {file, file + "." + std::to_string(child)}) {
    WarpoRecord record = readWarpo(name);
    EXPECT_EQ(record.damaged, 0u);
    EXPECT_EQ(record.events(), 2 * count);
  }
}

TEST(RecorderFuel, StepsBackAreNoted) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open_fuel(recorder, 7);
  for (uint64_t fuel : {5, 9, 2, 3, 8, 12})
    warpo_trace_event_fuel(stream, 0x1000000, fuel);
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.fuelStepsBack, 1u);
  EXPECT_EQ(record.streams.at(0).fuel, (std::vector<uint64_t>{5, 9, 9, 9, 9, 12}));
}

TEST(RecorderFuel, IsTheOnlyClockIfAskedFor) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  for (bool isShort : {true, false}) {
    warpo_recorder_options options = warpoOptions(file);
    options.clock = WARPO_CLOCK_FUEL;
    options.fuel_costs = "v8";
    warpo_recorder *recorder = warpo_recorder_open(&options);
    if (isShort) {
      warpo_event_stream *stream = warpo_event_stream_open(recorder, 7);
      for (uint64_t i = 0; i < count; ++i)
        warpo_trace_event_at(stream, fuelOf(i), idOf(i));
    } else {
      recordFuel(warpo_event_stream_open_fuel(recorder, 7));
    }
    warpo_recorder_close(recorder);
    EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
    warpo_recorder_free(recorder);
    WarpoRecord record = readWarpo(file);
    EXPECT_EQ(record.damaged + record.stepsBack, 0u);
    EXPECT_EQ(record.header.measures[0].name, "fuel");
    EXPECT_EQ(record.header.measures[0].clock(), "fuel:v8");
    EXPECT_FALSE(record.header.measures[0].scale);
    EXPECT_TRUE(record.header.columns().empty());
    WarpoRecord::Stream &stream = record.streams.at(0);
    EXPECT_TRUE(stream.fuel.empty());
    stream.fuel = stream.times;
    expectFuel(stream);
  }
}

TEST(RecorderFuel, CostsHaveANameThatAClockMayHave) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo"), longest(48, 'c');
  const struct {
    std::string costs;
    bool isName;
  } cases[] = {{"v8-1_Z", true},   {longest, true}, {longest + "c", false}, {"", false},
               {"v8,time", false}, {"v 8", false},  {"v8\n", false},        {"v:8", false}};
  for (const auto &test : cases) {
    warpo_recorder_options options = warpoOptions(file);
    options.fuel_costs = test.costs.c_str();
    warpo_recorder *recorder = warpo_recorder_open(&options);
    recordFuel(warpo_event_stream_open_fuel(recorder, 7));
    warpo_recorder_close(recorder);
    EXPECT_EQ(std::string(warpo_recorder_error_text(recorder)),
              test.isName
                  ? ""
                  : "record: fuel_costs is not a name of up to 48 letters, digits, '-' and '_': "
                    "Invalid argument")
        << test.costs;
    warpo_recorder_free(recorder);
    if (test.isName) {
      EXPECT_EQ(readWarpo(file).header.measures.at(1).clock(), "fuel:" + test.costs);
    }
  }
}

std::string contentsOf(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// By turns on two streams of more than a block each; a section, samples and a phase between them.
void recordAll(warpo_recorder *recorder, const std::function<void()> &pause) {
  warpo_event_stream *streams[] = {warpo_event_stream_open_fuel(recorder, 7),
                                   warpo_event_stream_open_fuel(recorder, 8)};
  warpo_sample_stream *samples = warpo_sample_stream_open(recorder, 8, WARPO_SAMPLED_BY_FUEL, 1000);
  for (uint64_t i = 0; i < 12 * count; ++i) {
    warpo_trace_event_fuel_at(streams[i / 6 % 2], 0, idOf(i), fuelOf(i));
    if (i % 1000 == 0) {
      warpo_sample_frame frame = {7, idOf(i - i % 2), nullptr};
      warpo_sample(samples, fuelOf(i), &frame, 1);
    }
    if (i % 120000 == 100) {
      std::string name = "part " + std::to_string(i);
      warpo_section_begin(streams[0], name.data(), name.size(), fuelOf(i));
      pause();
    }
  }
  warpo_phase phase = {"run", 0, 0, "fuel", fuelOf(12 * count)};
  warpo_recorder_add_phases(recorder, &phase, 1);
  warpo_recorder_free(recorder);
}

// The writer of a record with a time writes twice a second what there is.
TEST(RecorderFuel, TheSameEventsMakeTheSameBytes) {
  TemporaryFolder folder;
  auto record = [&](const char *name, warpo_recorder_policy policy, auto run) {
    std::string file = folder.file(name);
    warpo_recorder_options options = warpoOptions(file, policy);
    options.clock = WARPO_CLOCK_FUEL;
    run(warpo_recorder_open(&options));
    return contentsOf(file);
  };
  auto atOnce = [](warpo_recorder *recorder) { recordAll(recorder, [] {}); };
  auto slowly = [](warpo_recorder *recorder) {
    std::thread([recorder] {
      recordAll(recorder, [] { std::this_thread::sleep_for(std::chrono::milliseconds(510)); });
    }).join();
  };
  std::string first = record("first", WARPO_POLICY_BLOCK, atOnce);
  EXPECT_GT(first.size(), size_t(300000));
  WarpoRecord read = readWarpo(folder.file("first"));
  EXPECT_EQ(read.damaged, 0u);
  EXPECT_EQ(read.events(), 12 * count + 2);
  EXPECT_EQ(read.samples.size(), 12 * count / 1000);
  for (const WarpoRecord::Stream &stream : read.streams)
    EXPECT_EQ(stream.thread, 0u);
  EXPECT_TRUE(first == record("second", WARPO_POLICY_BLOCK, slowly));
  // With nothing to wait for, nothing is dropped.
  EXPECT_TRUE(first == record("third", WARPO_POLICY_DROP, slowly));
}

TEST(RecorderFuel, WarpHasNoPlaceForIt) {
  TemporaryFolder folder;
  std::string file = folder.file("a.bin");
  warpo_recorder_options options = warpoOptions(file);
  options.format = WARPO_FORMAT_WARP;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  recordFuel(warpo_event_stream_open_fuel(recorder, 7), 0, 10);
  warpo_recorder_close(recorder);
  EXPECT_EQ(warpo_recorder_error(recorder), EINVAL);
  EXPECT_NE(strstr(warpo_recorder_error_text(recorder), "no place for fuel"), nullptr);
  EXPECT_EQ(warpo_recorder_get_counts(recorder).lost_to_failure, 10u);
  warpo_recorder_free(recorder);
}

} // namespace
