// SPDX-License-Identifier: Apache-2.0
// What builds without NDEBUG notice, whatever the rest of the tests is built with.
#undef NDEBUG
#include "RecordFile.h"
#include "WarpoRecord.h"

#include <cerrno>

namespace {

TEST(RecorderMisuse, AStreamThatTwoThreadsUse) {
  TemporaryFolder folder;
  std::string file = folder.file("d.warpo");
  for (bool isShort : {false, true})
    for (bool isMisused : {false, true}) {
      warpo_recorder_options options = warpoOptions(file);
      warpo_recorder *recorder = warpo_recorder_open(&options);
      warpo_stream *records = isShort ? nullptr : warpo_stream_open(recorder, 1);
      warpo_event_stream *events = isShort ? warpo_event_stream_open(recorder, 1) : nullptr;
      // As another thread would have it that is within a trace point.
      (isShort ? events->in_use : records->in_use) = isMisused;
      warpo_trace_point(records, 1);
      warpo_trace_event(events, 1);
      warpo_trace_point(records, -1);
      warpo_trace_event(events, -1);
      warpo_recorder_close(recorder);
      EXPECT_EQ(warpo_recorder_error(recorder), isMisused ? EDEADLK : 0);
      warpo_recorder_free(recorder);
    }
}

} // namespace
