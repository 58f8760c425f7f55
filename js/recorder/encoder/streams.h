/* SPDX-License-Identifier: Apache-2.0 */
/* A stream, for packing its events and for writing its blocks. */
#ifndef WARPO_JS_ENCODER_STREAMS_H
#define WARPO_JS_ENCODER_STREAMS_H

#include "checkpoint.h"
#include "warpo/Recorder/event_packing.h"

#include <stdbool.h>

/* The clock of a stream's events. */
typedef enum clock_form { clock_time, clock_fuel, clock_none, clock_marked } clock_form;

/* Entries of `clock_none` without fuel and of `clock_marked`. An event is its id alone. Others are
 * `short_escape`, which no event has as its id, the kind, and the number that they have in place of
 * an id. Of `clock_marked`, the marks of times are among them: kind and number are then the upper
 * and the lower half of a double, the milliseconds of all that follows up to the next such mark. */
enum {
  short_escape = INT32_MIN,
  short_event_size = 4,
  short_mark_size = 12,
};
static const uint32_t first_time = 0x3e000000, times = 0x05000000; /* upper halves */

/* Start functions within each other whose calls are known. */
enum { most_starts = 8 };

/* Modules with several instances on the thread, of which that is known. */
enum { most_twins = 16 };
typedef struct {
  uint32_t first, count; /* stack ids */
} id_range;

typedef struct stream {
  warpo_event_encoder encoder;
  warpo_reading last_read;
  clock_form form;
  uint64_t foreign_fuel;      /* burnt while other stacks ran */
  uint64_t paused_at;         /* in fuel */
  size_t unpublished;         /* bytes of the block that has been finished; 0: none */
  double left_out, unwritten; /* events that the record is yet to say to be missing */
  double packed;              /* events that were taken from the buffer and packed */
  checkpoint before;
  uint32_t starts[most_starts]; /* how many calls were open where each began */
  bool watches_traps;           /* readers might attribute some to other calls */
  uint32_t left_calls;          /* that traps and exceptions had left when the thread was at rest */
  id_range twins[most_twins];
  uint32_t twin_modules; /* of those */
  uint32_t met_twins;    /* that a mark among the events has named */
  struct stream *next;
} stream;

#endif
