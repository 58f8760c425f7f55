// SPDX-License-Identifier: Apache-2.0
// Samples from the C recorder to the tools' reader: stacks that are shared, frames without
// functions, what has no place for samples, limits and forks.
#include "RecordFile.h"
#include "WarpoRecord.h"
#include "warpo/Recorder/sample_stream.h"

#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpo;
using llvm::StringRef;

namespace {

constexpr int32_t f = 0x1000000, g = 0x1000001;

// Of each sample `f g guest` and the fuel since the one before.
std::vector<std::string> stacksOf(const WarpoRecord &record) {
  std::vector<std::string> texts;
  for (const StackSample &sample : record.samples) {
    std::string text;
    for (uint32_t at = sample.stack; at != 0; at = record.header.stacks[at].parent) {
      const RecordedStack &stack = record.header.stacks[at];
      std::string frame = stack.id != 0 ? std::string(1, char('f' + stack.id - f)) : stack.text;
      text = frame + " " + text;
    }
    texts.push_back(text + std::to_string(sample.countsSince[0]));
  }
  return texts;
}

TEST(Samples, AreReadAsTheyWereTaken) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_BY_FUEL, 1000);
  const warpo_sample_frame frames[] = {
      {7, f, nullptr}, {8, g, nullptr}, {0, 0, "guest main"}, {7, -1, nullptr}};
  warpo_sample(stream, 10, frames, 2);
  warpo_sample(stream, 30, frames, 4);
  warpo_sample(stream, 31, frames, 1);
  warpo_sample(stream, 31, nullptr, 0);
  warpo_sample(stream, 20, frames, 2);
  warpo_sample_stream_close(stream);
  warpo_event_stream *events = warpo_event_stream_open(recorder, 7);
  recordCalls(events, 3);
  warpo_recorder_close(recorder);
  EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
  EXPECT_EQ(warpo_recorder_get_counts(recorder).written, 11u);
  warpo_recorder_free(recorder);

  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.damaged, 0u);
  ASSERT_EQ(record.header.columns().size(), 1u);
  EXPECT_EQ(record.header.columns()[0].clock(), "fuel");
  EXPECT_EQ(stacksOf(record),
            (std::vector<std::string>{"f g 10", "f g guest main 20", "f 1", "0", "f g 0"}));
  EXPECT_EQ(record.header.stacks.size(), 4u);
  EXPECT_EQ(record.header.stacks[2].moduleId, 8u);
  EXPECT_EQ(record.header.streams[0].sampledBy, "fuel");
  EXPECT_EQ(record.header.streams[0].sampleInterval, 1000u);
  for (size_t i = 1; i < record.samples.size(); ++i)
    EXPECT_EQ(record.samples[i].time - record.samples[i - 1].time, record.samples[i].timeSince);
  EXPECT_EQ(record.events(), 6u);
}

// Places of frames: two of one function, both ways of counting, and so many that they fill blocks
// where stacks do not, and the reverse.
TEST(Samples, HaveThePlacesOfTheirFrames) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_UNKNOWN, 0);
  const warpo_sample_frame frames[] = {{7, f, nullptr}, {0, 0, "guest"}, {7, g, nullptr}};
  auto placesAt = [](uint32_t i) {
    // Of the frame that is a text none is kept.
    return std::vector<warpo_frame_place>{{i % 2 ? 0xffffffff - i : 0, true}, {5, true}, {i, true}};
  };
  constexpr uint32_t samples = 40000;
  for (uint32_t i = 0; i < samples; ++i)
    warpo_sample_places(stream, 0, frames, placesAt(i % (samples - 10)).data(), i % 3 + 1);
  // None of the instrumented module, of which no map is known.
  const warpo_frame_place instrumented = {12, false};
  warpo_sample_places(stream, 0, frames, &instrumented, 1);
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.damaged, 0u);
  ASSERT_EQ(record.samples.size(), samples + 1);
  const std::vector<RecordedStack> &stacks = record.header.stacks;
  EXPECT_LE(stacks.size(), 2 * samples);
  for (uint32_t i = 0; i < samples; ++i) {
    uint32_t at = record.samples[i].stack;
    std::vector<warpo_frame_place> places = placesAt(i % (samples - 10));
    if (i % 3 == 2) {
      ASSERT_EQ(stacks[at].offset, places[2].offset);
      at = stacks[at].parent;
    }
    if (i % 3 >= 1) {
      ASSERT_EQ(stacks[at].text, "guest");
      ASSERT_EQ(stacks[at].offset, 0u);
      at = stacks[at].parent;
    }
    ASSERT_EQ(stacks[at].offset, places[0].offset) << i;
    ASSERT_EQ(stacks[at].parent, 0u);
  }
  EXPECT_EQ(stacks[record.samples.back().stack].offset, 0u);
  EXPECT_EQ(stacks[record.samples.back().stack].id, f);
}

TEST(Samples, OfManyStacksInManyBlocks) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_UNKNOWN, 0);
  for (int32_t i = 0; i < 30000; ++i) {
    const warpo_sample_frame frames[] = {{7, f, nullptr}, {7, 1 + i, nullptr}, {7, g, nullptr}};
    warpo_sample(stream, uint64_t(i) * uint64_t(i), frames, 3);
  }
  std::string longText(3000, 'x');
  const warpo_sample_frame text = {0, 0, longText.c_str()};
  warpo_sample(stream, uint64_t(1) << 40, &text, 1);
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.damaged, 0u);
  ASSERT_EQ(record.samples.size(), 30001u);
  const std::vector<RecordedStack> &stacks = record.header.stacks;
  for (int32_t i = 0; i < 30000; ++i) {
    const StackSample &sample = record.samples[size_t(i)];
    ASSERT_EQ(stacks[sample.stack].id, g);
    ASSERT_EQ(stacks[stacks[sample.stack].parent].id, 1 + i);
    ASSERT_EQ(sample.countsSince[0], i == 0 ? 0u : uint64_t(2 * i - 1));
  }
  EXPECT_EQ(stacks[record.samples.back().stack].text, longText.substr(0, 1024));
}

TEST(Samples, AreTakenAtTheTimesOfTheRecord) {
  for (warpo_recorder_clock clock :
       {WARPO_CLOCK_COUNTER, WARPO_CLOCK_MONOTONIC, WARPO_CLOCK_FUEL}) {
    TemporaryFolder folder;
    std::string file = folder.file("a.warpo");
    warpo_recorder_options options = warpoOptions(file);
    options.clock = clock;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    warpo_event_stream *events = warpo_event_stream_open_fuel(recorder, 7);
    const warpo_sample_frame frame = {7, f, nullptr};
    warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_UNKNOWN, 0);
    warpo_trace_event_fuel(events, f, 5);
    warpo_sample(stream, 8, &frame, 1);
    warpo_sample(stream, 20, &frame, 1);
    warpo_trace_event_fuel(events, -f, 21);
    warpo_recorder_free(recorder);
    WarpoRecord record = readWarpo(file);
    ASSERT_EQ(record.samples.size(), 2u);
    const std::vector<uint64_t> *times = nullptr;
    for (const WarpoRecord::Stream &each : record.streams)
      if (!each.times.empty())
        times = &each.times;
    ASSERT_TRUE(times && times->size() == 2);
    EXPECT_LE(times->front(), record.samples[0].time);
    EXPECT_LE(record.samples[1].time, times->back());
    if (clock == WARPO_CLOCK_FUEL) {
      EXPECT_EQ(record.samples[0].time, 8u);
      EXPECT_EQ(record.samples[1].time, 20u);
    }
  }
}

TEST(Samples, KeepTheOutermostFramesOfADeepStack) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_UNKNOWN, 0);
  std::vector<warpo_sample_frame> frames;
  constexpr int32_t most = 65536;
  for (int32_t i = 1; i <= most + 100; ++i)
    frames.push_back({7, i, nullptr});
  warpo_sample(stream, 1, frames.data(), frames.size());
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  ASSERT_EQ(record.samples.size(), 1u);
  const auto &stacks = record.header.stacks;
  uint32_t at = record.samples[0].stack;
  EXPECT_EQ(stacks[at].text, "(deeper)");
  int32_t depth = 0;
  for (at = stacks[at].parent; at != 0; at = stacks[at].parent)
    ASSERT_EQ(stacks[at].id, most - depth++);
  EXPECT_EQ(depth, most);
}

TEST(Samples, ShareTheLimitOfEvents) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  options.max_items = 5;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *events = warpo_event_stream_open(recorder, 7);
  warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_UNKNOWN, 0);
  const warpo_sample_frame frame = {7, 16777216, nullptr};
  warpo_trace_event(events, 16777216);
  warpo_trace_event(events, -16777216);
  for (int i = 0; i < 10; ++i)
    warpo_sample(stream, 0, &frame, 1);
  warpo_recorder_close(recorder);
  warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
  warpo_recorder_free(recorder);
  EXPECT_EQ(counts.written, 5u);
  EXPECT_EQ(counts.lost_to_limit, 7u);
  EXPECT_EQ(readWarpo(file).samples.size(), 3u);
}

// A kilobyte of a text at most, and no half of a character.
TEST(Samples, LongTextsEndBehindACharacter) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_UNKNOWN, 0);
  std::vector<std::string> texts, expected;
  for (size_t before = 1020; before <= 1025; ++before) {
    texts.push_back(std::string(before, 'x') + "\xe2\x82\xac!");
    expected.push_back(before <= 1020   ? texts.back()
                       : before == 1021 ? texts.back().substr(0, 1024)
                                        : std::string(std::min<size_t>(before, 1024), 'x'));
  }
  for (const std::string &text : texts) {
    const warpo_sample_frame frame = {0, 0, text.c_str()};
    warpo_sample(stream, 1, &frame, 1);
  }
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  ASSERT_EQ(record.samples.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(record.header.stacks[record.samples[i].stack].text, expected[i]) << i;
}

TEST(Samples, AreLostWhereThereIsNoPlace) {
  for (StringRef place : {"warp", "ring", "crash-safe"}) {
    SCOPED_TRACE(place.str());
    TemporaryFolder folder;
    std::string file = folder.file("a.warpo");
    warpo_recorder_options options = warpoOptions(file);
    options.format = place == "warp" ? WARPO_FORMAT_WARP : WARPO_FORMAT_WARPO;
    options.policy = place == "ring" ? WARPO_POLICY_RING : WARPO_POLICY_BLOCK;
    options.crash_safe = place == "crash-safe";
    warpo_recorder *recorder = warpo_recorder_open(&options);
    warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_UNKNOWN, 0);
    const warpo_sample_frame frame = {7, f, nullptr};
    warpo_sample(stream, 1, &frame, 1);
    warpo_recorder_close(recorder);
    EXPECT_EQ(warpo_recorder_error(recorder), EINVAL);
    EXPECT_EQ(warpo_recorder_get_counts(recorder).lost_to_failure, 1u);
    warpo_recorder_free(recorder);
  }
}

TEST(Samples, StopAtTheLimitOfBytes) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  options.max_bytes = 50000;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_UNKNOWN, 0);
  const warpo_sample_frame frame = {7, f, nullptr};
  for (uint64_t i = 0; i < 50000; ++i)
    warpo_sample(stream, i, &frame, 1);
  warpo_recorder_close(recorder);
  warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
  warpo_recorder_free(recorder);
  EXPECT_LE(std::filesystem::file_size(file), 50000u);
  EXPECT_EQ(counts.written + counts.lost_to_limit, 50000u);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.damaged, 0u);
  EXPECT_TRUE(record.isClosed);
  EXPECT_EQ(record.samples.size(), counts.written);
  EXPECT_GT(counts.written, 1000u);
}

// The parent's declarations are not in its record.
TEST(Samples, AChildDeclaresWhatItsParentHasDeclared) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_UNKNOWN, 0);
  const warpo_sample_frame frames[] = {{7, f, nullptr}, {7, g, nullptr}};
  constexpr uint64_t enough = 20000; // to fill a block
  for (uint64_t i = 0; i < enough; ++i)
    warpo_sample(stream, i, frames, 2);
  pid_t child = fork();
  warpo_sample(stream, enough, frames, 2);
  warpo_recorder_free(recorder);
  if (child == 0)
    _exit(0);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(readWarpo(file).samples.size(), enough + 1);
  WarpoRecord forked = readWarpo(file + "." + std::to_string(child));
  EXPECT_EQ(forked.error, "");
  EXPECT_EQ(stacksOf(forked), (std::vector<std::string>{"f g 1"}));
}

TEST(Samples, AChildOfAForkHasItsOwn) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_sample_stream *stream = warpo_sample_stream_open(recorder, 7, WARPO_SAMPLED_UNKNOWN, 0);
  const warpo_sample_frame frames[] = {{7, f, nullptr}, {7, g, nullptr}};
  warpo_sample(stream, 1, frames, 2);
  pid_t child = fork();
  warpo_sample(stream, 5, frames, 2);
  warpo_recorder_free(recorder);
  if (child == 0)
    _exit(0);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(stacksOf(readWarpo(file)), (std::vector<std::string>{"f g 1", "f g 4"}));
  WarpoRecord forked = readWarpo(file + "." + std::to_string(child));
  EXPECT_EQ(forked.damaged, 0u);
  EXPECT_EQ(stacksOf(forked), (std::vector<std::string>{"f g 4"}));
}

} // namespace
