// Streams whose events have fuel: every policy, forks, processes that are killed, and records that
// have no other clock.
#include "RecordFile.h"
#include "WarpoRecord.h"

#include <cerrno>
#include <sys/wait.h>
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
  EXPECT_EQ(record.header.fuelClock, "fuel");
  EXPECT_FALSE(record.header.timeIsFuel);
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

TEST(RecorderFuel, AKilledProcessLosesNothing) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  for (warpo_recorder_policy policy : {WARPO_POLICY_BLOCK, WARPO_POLICY_RING}) {
    pid_t child = fork();
    if (child == 0) {
      warpo_recorder_options options = warpoOptions(file, policy);
      options.buffer_bytes = 1 << 20;
      options.crash_safe = 1;
      recordFuel(warpo_event_stream_open_fuel(warpo_recorder_open(&options), 7));
      raise(SIGKILL);
    }
    waitpid(child, nullptr, 0);
    EXPECT_EQ(warpo_recorder_recover(file.c_str(), nullptr), 0);
    WarpoRecord record = readWarpo(file);
    EXPECT_EQ(record.error, "");
    ASSERT_EQ(record.streams.size(), 1u);
    expectFuel(record.streams[0]);
  }
}

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
  EXPECT_EQ(forked.header.fuelClock, "fuel");
  expectFuel(forked.streams.at(0), 100);
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
    EXPECT_EQ(record.header.fuelClock, "fuel:v8");
    EXPECT_TRUE(record.header.timeIsFuel);
    EXPECT_FALSE(record.header.scale);
    WarpoRecord::Stream &stream = record.streams.at(0);
    EXPECT_TRUE(stream.fuel.empty());
    stream.fuel = stream.times;
    expectFuel(stream);
  }
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
