/* SPDX-License-Identifier: Apache-2.0 */
/* Writes events from the memory of streams straight to a descriptor, where nothing drains them any
 * more: for flight.c and recover.c. Nothing here allocates or locks, and all of it is safe in a
 * signal handler. */
#ifndef WARPO_RECORDER_EVENT_OUTPUT_H
#define WARPO_RECORDER_EVENT_OUTPUT_H

#include "chunks.h"
#include "tail.h"

#include <stdbool.h>

/* After an error nothing more is written, and events that come are missed; but the end is tried
 * once more. */
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

/* A whole block, or what stands in front of all. */
void warpo_output_put(warpo_event_output *to, const void *bytes, size_t size);
/* Declares a stream, whose events have a count of clock `measure` unless that is 0; `complete`:
 * what follows begins with its first event. */
void warpo_output_begin_stream(warpo_event_output *to, const warpo_stream_fields *stream,
                               uint64_t measure, bool complete);
/* The entries from `begin` to `end` of a chunk of the stream. */
void warpo_output_put_entries(warpo_event_output *to, warpo_entry_form form, uint64_t base,
                              const char *begin, const char *end);
void warpo_output_put_loss(warpo_event_output *to, uint64_t since, uint64_t count,
                           warpo_loss_cause cause);
void warpo_output_end_stream(warpo_event_output *to);
/* Cuts the output to `size` bytes, and forgets the error. False where that cannot be done. */
bool warpo_output_cut(warpo_event_output *to, uint64_t size);
/* Ends the record, which has `before` further events, and in which `lost` are missing besides those
 * that were recorded as missing here. */
void warpo_output_end(warpo_event_output *to, uint64_t before, uint64_t lost);

#endif
