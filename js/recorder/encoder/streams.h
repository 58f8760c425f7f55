/* SPDX-License-Identifier: Apache-2.0 */
/* A stream, for packing its events and for writing its blocks. */
#ifndef WARPO_JS_ENCODER_STREAMS_H
#define WARPO_JS_ENCODER_STREAMS_H

#include "checkpoint.h"
#include "warpo/Recorder/event_packing.h"

/* The clock of a stream's events. */
typedef enum clock_form { clock_time, clock_fuel, clock_none, clock_counted } clock_form;

typedef struct stream {
  warpo_event_encoder encoder;
  warpo_reading last_read;
  clock_form form;
  uint64_t foreign_fuel;      /* burnt while other stacks ran */
  uint64_t paused_at;         /* in fuel */
  size_t unpublished;         /* bytes of the block that has been finished; 0: none */
  double left_out, unwritten; /* events that the record is yet to say to be missing */
  checkpoint before;
  struct stream *next;
} stream;

#endif
