/* SPDX-License-Identifier: Apache-2.0 */
#include "warpo/Recorder/event_packing.h"
#include "warpo/Recorder/section.h"

_Static_assert(warpo_recorded_id == -WARPO_RECORDING_ID, "such events end with this one");

void warpo_pack_lost(warpo_event_encoder *encoder, uint64_t time, uint64_t count,
                     warpo_loss_cause cause) {
  warpo_begin_events(encoder, time);
  warpo_encode_lost(encoder, time < encoder->last_time ? encoder->last_time : time, count, cause);
}

uint64_t warpo_pack_time_back(warpo_event_encoder *encoder, uint64_t last_read, uint64_t time) {
  if (time < last_read)
    warpo_encode_back(encoder, last_read - time);
  return time < encoder->last_time ? encoder->last_time : time;
}

uint64_t warpo_pack_column_back(warpo_event_encoder *encoder, uint32_t column, uint64_t last_read,
                                uint64_t value) {
  if (value < last_read)
    warpo_encode_column_back(encoder, column, last_read - value);
  uint64_t last = encoder->column[column].last;
  return value < last ? last : value;
}

int32_t warpo_pack_special_id(warpo_event_encoder *encoder, uint64_t time, int32_t id) {
  if (id == warpo_recorded_id) {
    warpo_encode_recorded(encoder, time);
    return 0;
  }
  if (id != warpo_section_end_id) {
    if (id != 0 && id != INT32_MIN)
      return id;
    warpo_encode_lost(encoder, time, 1, warpo_loss_unknown); /* ids that mean nothing */
    ++encoder->meaningless;
    return 0;
  }
  int32_t innermost = encoder->depth > 0 ? encoder->calls[encoder->depth - 1] : 0;
  if (warpo_is_section(innermost))
    return -innermost;
  /* After a loss, the section may have begun among the lost events. */
  encoder->unmatched_section_ends += innermost != 0 || encoder->complete;
  return 0;
}
