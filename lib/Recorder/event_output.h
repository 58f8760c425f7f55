/* SPDX-License-Identifier: Apache-2.0 */
/* Writes events from streams' memory directly to a descriptor, after the last drain: for flight.c
 * and recover.c. Does not allocate or lock, and is safe in a signal handler. */
#ifndef WARPO_RECORDER_EVENT_OUTPUT_H
#define WARPO_RECORDER_EVENT_OUTPUT_H

#include "chunks.h"
#include "tail.h"

#include <stdbool.h>

/* After an error nothing more is written and further events are counted as missing; only the end is
 * tried once more. */
typedef struct warpo_event_output {
  int fd;
  bool can_cut; /* a regular file of ours, written from `start` on */
  uint64_t start;
  warpo_event_encoder *encoder; /* of the caller, for one stream after the other */
  int error;
  uint64_t size;   /* what was written, in bytes, */
  uint64_t whole;  /* of them in whole blocks, */
  uint64_t events; /* and in events */
  uint64_t missed; /* events that are not in the file */
  uint64_t lost;   /* that are recorded as missing */
  warpo_reading last_read;
  warpo_tail tail;
} warpo_event_output;

/* Writes a whole block, or the start of the record. */
void warpo_output_put(warpo_event_output *to, const void *bytes, size_t size);
/* Declares a stream, whose events have a count of clock `measure` (0: none). `complete`: what
 * follows begins with the stream's first event. */
void warpo_output_begin_stream(warpo_event_output *to, const warpo_stream_fields *stream,
                               uint64_t measure, bool complete);
/* Writes the entries of a chunk from `begin` to `end`. */
void warpo_output_put_entries(warpo_event_output *to, warpo_entry_form form, uint64_t base,
                              const char *begin, const char *end);
void warpo_output_put_loss(warpo_event_output *to, uint64_t since, uint64_t count,
                           warpo_loss_cause cause);
void warpo_output_end_stream(warpo_event_output *to);
/* Cuts the output to `size` bytes and clears the error. False if that fails. */
bool warpo_output_cut(warpo_event_output *to, uint64_t size);
/* Ends the record. It has `before` events from elsewhere; `lost` events are missing in addition to
 * those recorded as missing here. */
void warpo_output_end(warpo_event_output *to, uint64_t before, uint64_t lost);

#endif
