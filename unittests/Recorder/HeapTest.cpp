// SPDX-License-Identifier: Apache-2.0
// Stacks of heap events in the C recorder.
#include "FailingCalls.h"
#include "RecordFile.h"
#include "WarpoRecord.h"
#include "warpo/Recorder/heap_stream.h"

#include <cerrno>

using namespace warpo;

namespace {

TEST(Heap, AStackEndsWhereAFrameHasNoRoom) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_sample_stream *stream = warpo_heap_stream_open(recorder, 7);
  auto stackOf = [&](uint64_t around, int32_t id) {
    const warpo_sample_frame frame = {7, id, nullptr};
    return warpo_heap_stack(stream, around, &frame);
  };
  uint64_t main = stackOf(0, 1);
  uint64_t mainInner = stackOf(main, 2);
  // Further ones need memory.
  setFailure({.call = Call::malloc, .times = Failure::forever, .error = ENOMEM});
  uint64_t cut = main;
  for (int32_t id = 3; id < 100'000; ++id)
    cut = stackOf(main, id);
  setFailure({});
  EXPECT_EQ(stackOf(cut, 2), cut);
  EXPECT_NE(cut, mainInner);
  EXPECT_EQ(stackOf(main, 2), mainInner);
  const warpo_heap_change change = {
      .kind = WARPO_HEAP_ALLOCATES, .memory = 0, .address = 16, .size = 8, .old_address = 0};
  warpo_heap_changed(stream, cut, &change);
  warpo_heap_changed(stream, main, &change);
  EXPECT_EQ(warpo_heap_cut_stacks(stream), 1u);
  warpo_sample_stream_close(stream);
  warpo_recorder_close(recorder);
  EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
  EXPECT_EQ(warpo_recorder_get_counts(recorder).written, 2u);
  warpo_recorder_free(recorder);
}

} // namespace
