// Samples from the C recorder to the tools' reader: stacks that are shared, frames without
// functions, what has no place for samples, limits and forks.
#include "RecordFile.h"
#include "WarpoRecord.h"
#include "warpo/Recorder/sample_stream.h"

#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpo;

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
    texts.push_back(text + std::to_string(sample.fuelSince));
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
  EXPECT_EQ(record.header.fuelClock, "fuel");
  EXPECT_EQ(stacksOf(record),
            (std::vector<std::string>{"f g 10", "f g guest main 20", "f 1", "0", "f g 0"}));
  EXPECT_EQ(record.header.stacks.size(), 4u);
  EXPECT_EQ(record.header.stacks[2].moduleId, 8u);
  EXPECT_EQ(record.header.streams[0].sampledBy, StreamInfo::SampledBy::fuel);
  EXPECT_EQ(record.header.streams[0].sampleInterval, 1000u);
  for (size_t i = 1; i < record.samples.size(); ++i)
    EXPECT_EQ(record.samples[i].time - record.samples[i - 1].time, record.samples[i].timeSince);
  EXPECT_EQ(record.events(), 6u);
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
    ASSERT_EQ(sample.fuelSince, i == 0 ? 0u : uint64_t(2 * i - 1));
  }
  EXPECT_EQ(stacks[record.samples.back().stack].text, longText.substr(0, 1024));
}

TEST(Samples, AreLostWhereThereIsNoPlace) {
  for (bool isRing : {false, true}) {
    TemporaryFolder folder;
    std::string file = folder.file("a.warpo");
    warpo_recorder_options options = warpoOptions(file);
    if (isRing)
      options.policy = WARPO_POLICY_RING;
    else
      options.format = WARPO_FORMAT_WARP;
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
