/* SPDX-License-Identifier: Apache-2.0 */
/* The chunks that hold a stream's events, in memory or in a process's .live file. */
#ifndef WARPO_RECORDER_CHUNKS_H
#define WARPO_RECORDER_CHUNKS_H

#include "warpo/Recorder/event_packing.h"
#include "warpo/Recorder/warpo_recorder.h"

#include <stdatomic.h>

/* Describes a chunk that is being filled. */
typedef struct warpo_chunk_head {
  uint64_t base;          /* what the times of its entries count from: one count before the first
                             (modulo 2^64), so that no entry is zero */
  uint64_t events_before; /* in all chunks of the stream before it */
  uint64_t lost_before;   /* of the stream before its first event, as the buffer was full; */
  uint64_t lost;          /* those among them since the chunk before, */
  uint64_t lost_since;    /* and the time of the first of these */
} warpo_chunk_head;

/* Events of a stream lost to one cause. Written by the stream's thread, read by any. */
typedef struct warpo_loss {
  _Atomic uint64_t count;
  _Atomic uint64_t since; /* the time of the first; to_buffer: of the first since the last event */
} warpo_loss;
typedef struct warpo_losses {
  warpo_loss to_buffer, to_limit, to_failure;
} warpo_losses;

/* Events of a stream that were drained but are not in the record. Used only by the drain. */
typedef struct warpo_unrecorded {
  uint64_t unwritten;   /* could not be written */
  uint64_t overrun;     /* the same, since that was beyond a limit */
  uint64_t since;       /* the time of the first of both */
  uint64_t meaningless; /* had an invalid id; the record has these losses at their place */
} warpo_unrecorded;

/* What a chunk stores of an event. */
typedef enum warpo_entry_form {
  warpo_entry_event,      /* 8 bytes: time since the base, id */
  warpo_entry_fuel_event, /* the same, and 8 bytes of fuel */
} warpo_entry_form;

static inline size_t warpo_entry_size(warpo_entry_form form) {
  return form == warpo_entry_event ? sizeof(uint64_t) : 2 * sizeof(uint64_t);
}

/* Consecutive events of a stream. */
typedef struct warpo_chunk {
  warpo_chunk_head head;
  char *end; /* behind the last entry, once the chunk has been handed over */
} warpo_chunk;

/* The id and clocks of an entry; its first further clock is fuel (0 if it has none). */
static inline int32_t warpo_entry(warpo_entry_form form, uint64_t base, const char *entry,
                                  warpo_reading *read) {
  const uint64_t *event = (const uint64_t *)entry;
  read->time = base + (*event >> 32);
  read->more[0] = form == warpo_entry_fuel_event ? event[1] : 0;
  return (int32_t)*event;
}

/* Encodes entries of a chunk until the encoder's block is full and returns where it stopped. Begins
 * a block if there is none. If the encoder has no column for fuel, entries with fuel have it as
 * their time. `last_read` is the reading of the stream's last event. */
const char *warpo_pack(warpo_entry_form form, warpo_event_encoder *encoder,
                       warpo_reading *last_read, uint64_t base, const char *begin, const char *end);

#endif
