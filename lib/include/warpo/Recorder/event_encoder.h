/* SPDX-License-Identifier: Apache-2.0 */
/* The events of the record format `warpo`: begins and ends of calls, and what stands between them,
 * packed into blocks.
 */
#ifndef WARPO_RECORDER_EVENT_ENCODER_H
#define WARPO_RECORDER_EVENT_ENCODER_H

#include "warpo/Recorder/record_blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /* Further clocks of an event. */
  warpo_max_columns = 4,
  /* The size of the largest event: an end that names its function. It has a time, three bytes that
   * say which special it is, the function, and a count of each column. */
  warpo_max_event_size = 10 + 3 + 5 + 10 * warpo_max_columns,
};

/* A clock beside the first, which each event has a count of. */
typedef struct warpo_column {
  uint64_t clock; /* its number in the record */
  uint64_t last;  /* of the last event */
} warpo_column;

/* Packs the events of one stream into blocks. */
typedef struct warpo_event_encoder {
  uint8_t *block; /* the header's room, then the payload */
  uint8_t *next;  /* where the next event goes; NULL outside of a block */
  uint8_t *limit; /* the block must be finished when next has passed this */
  uint64_t stream;
  uint64_t first_time; /* of the block */
  uint64_t last_time;  /* of the last event */
  uint32_t columns;
  warpo_column column[warpo_max_columns];
  uint64_t events; /* begins and ends in the block */
  int32_t *calls;  /* open calls, outermost first; those from `floor` on are known to a reader */
  uint32_t depth;
  uint32_t floor;
  uint32_t capacity;               /* of calls */
  bool complete;                   /* whether calls holds all that are open */
  uint64_t unended_sections;       /* that ended with their function */
  uint64_t unmatched_section_ends; /* that were left out */
  uint64_t meaningless;            /* ids that no function has, each told as a loss */
} warpo_event_encoder;

/* `block_size` bytes are what a block takes at most, its header included; at least 4096. False
 * without memory. */
bool warpo_encoder_init(warpo_event_encoder *encoder, uint64_t stream, size_t block_size);
void warpo_encoder_free(warpo_event_encoder *encoder);

/* From the next block on the events have a further clock, of which warpo_max_columns can be. */
void warpo_encoder_add_column(warpo_event_encoder *encoder, uint64_t clock);
/* What is open is not known from here on. */
void warpo_encoder_forget(warpo_event_encoder *encoder);

/* Begins a block whose first event has the time `time`. */
void warpo_encoder_begin(warpo_event_encoder *encoder, uint64_t time);
/* Frames what the block holds and returns its size, header included; its bytes stand at
 * encoder->block until the next begin. 0 if no block is begun. */
size_t warpo_encoder_finish(warpo_event_encoder *encoder);
/* Whether the block has no room for a further event. */
static inline bool warpo_encoder_is_full(const warpo_event_encoder *encoder) {
  return encoder->next > encoder->limit;
}

/* Things other than calls. The block has been begun and is not full. */
void warpo_encode_lost(warpo_event_encoder *encoder, uint64_t time, uint64_t count,
                       warpo_loss_cause cause);
void warpo_encode_back(warpo_event_encoder *encoder, uint64_t counts);
/* The next event's count of a column would be so much less than that of the one before. */
void warpo_encode_column_back(warpo_event_encoder *encoder, uint32_t column, uint64_t counts);

/* The rare parts of warpo_encode_measured_event(). */
void warpo_encode_unknown_end(warpo_event_encoder *encoder, uint64_t delta, int32_t id);
void warpo_encoder_grow(warpo_event_encoder *encoder);

/* From the last event until `time` the recorder had the thread. That is two events for readers, of
 * which `events` counts none. */
void warpo_encode_recorded(warpo_event_encoder *encoder, uint64_t time);

/* The part of an encoder that changes with each event, while most events are encoded. The compiler
 * keeps it in registers, which it cannot do with what a pointer leads to: a byte stored in the
 * block might be part of that. */
typedef struct warpo_encoding {
  uint8_t *next;
  const uint8_t *limit;
  uint64_t last_time;
  uint64_t events;
  int32_t *calls;
  uint32_t depth;
  uint32_t floor;
  uint32_t capacity;
  uint64_t last_counts[warpo_max_columns];
} warpo_encoding;

WARPO_ALWAYS_INLINE warpo_encoding warpo_begin_encoding(const warpo_event_encoder *encoder,
                                                        uint32_t columns) {
  warpo_encoding encoding = {encoder->next,   encoder->limit,    encoder->last_time,
                             encoder->events, encoder->calls,    encoder->depth,
                             encoder->floor,  encoder->capacity, {0}};
  for (uint32_t i = 0; i < columns; ++i)
    encoding.last_counts[i] = encoder->column[i].last;
  return encoding;
}

WARPO_ALWAYS_INLINE void warpo_end_encoding(const warpo_encoding *encoding,
                                            warpo_event_encoder *encoder, uint32_t columns) {
  encoder->next = encoding->next;
  encoder->last_time = encoding->last_time;
  encoder->events = encoding->events;
  encoder->depth = encoding->depth;
  for (uint32_t i = 0; i < columns; ++i)
    encoder->column[i].last = encoding->last_counts[i];
}

WARPO_ALWAYS_INLINE void warpo_encode_counts(warpo_encoding *encoding, uint64_t time,
                                             const uint64_t *counts, uint32_t columns) {
  encoding->last_time = time;
  ++encoding->events;
  for (uint32_t i = 0; i < columns; ++i) {
    encoding->next = warpo_put_u(encoding->next, counts[i] - encoding->last_counts[i]);
    encoding->last_counts[i] = counts[i];
  }
}

/* Does what warpo_encode_measured_event() does, for most events; false if this is another, for
 * which nothing has been done. */
WARPO_ALWAYS_INLINE bool warpo_try_encode(warpo_encoding *encoding, uint64_t time, int32_t id,
                                          const uint64_t *counts, uint32_t columns) {
  uint64_t delta = time - encoding->last_time;
  if (id > 0) {
    if (__builtin_expect(encoding->depth == encoding->capacity, 0))
      return false;
    encoding->calls[encoding->depth++] = id;
    uint8_t *at = warpo_put_u(encoding->next, delta << 1);
    encoding->next = warpo_put_u(at, warpo_function_code(id));
  } else {
    if (__builtin_expect(
            encoding->depth <= encoding->floor || encoding->calls[encoding->depth - 1] != -id, 0))
      return false;
    --encoding->depth;
    encoding->next = warpo_put_u(encoding->next, delta << 1 | 1);
  }
  warpo_encode_counts(encoding, time, counts, columns);
  return true;
}

/* A trace point: id > 0 begins, id < 0 ends a call of function |id|; neither 0 nor -2^31. `time`
 * and the counts are not less than those of the event before. The block has been begun and is not
 * full. `columns` is the encoder's, as a constant where there is one: the compiler makes a way for
 * each. */
WARPO_ALWAYS_INLINE void warpo_encode_measured_event(warpo_event_encoder *encoder, uint64_t time,
                                                     int32_t id, const uint64_t *counts,
                                                     uint32_t columns) {
  if (id > 0 && encoder->depth == encoder->capacity)
    warpo_encoder_grow(encoder);
  warpo_encoding encoding = warpo_begin_encoding(encoder, columns);
  if (!warpo_try_encode(&encoding, time, id, counts, columns)) {
    warpo_encode_unknown_end(encoder, time - encoder->last_time, id);
    encoding = warpo_begin_encoding(encoder, columns);
    warpo_encode_counts(&encoding, time, counts, columns);
  }
  warpo_end_encoding(&encoding, encoder, columns);
}

/* The same of an encoder without columns. */
WARPO_ALWAYS_INLINE void warpo_encode_event(warpo_event_encoder *encoder, uint64_t time,
                                            int32_t id) {
  warpo_encode_measured_event(encoder, time, id, NULL, 0);
}

#ifdef __cplusplus
}
#endif

#endif
