/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the events in the record and those lost, by cause. */
#include "files.h"

uint64_t warpo_lost(const warpo_recorder_counts *counts) {
  return counts->lost_to_limit + counts->lost_to_failure + counts->lost_to_buffer +
         counts->meaningless;
}

void warpo_stream_add_losses(const warpo_stream_full *stream, warpo_recorder_counts *counts) {
  counts->lost_to_limit += stream->losses->to_limit.count + stream->unrecorded.overrun;
  counts->lost_to_failure += stream->losses->to_failure.count + stream->unrecorded.unwritten;
  counts->switched_off += stream->switched_off;
  counts->lost_to_buffer += stream->losses->to_buffer.count + stream->given_up;
  counts->meaningless += stream->unrecorded.meaningless;
}

warpo_recorder_counts warpo_recorder_sum(const warpo_recorder *recorder) {
  warpo_recorder_counts counts = recorder->counts;
  for (const warpo_stream_full *stream = recorder->streams.first; stream;
       stream = stream->following)
    warpo_stream_add_losses(stream, &counts);
  return counts;
}
