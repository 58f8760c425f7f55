/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of a chunk, as trace points have left them, into the events of a block: one loop for all
 * forms of chunks, of which the compiler makes one each. A chunk may be in the memory of a process,
 * of another one that was killed, or of a WebAssembly module.
 */
#ifndef WARPO_RECORDER_EVENT_PACKING_H
#define WARPO_RECORDER_EVENT_PACKING_H

#include "warpo/Recorder/event_encoder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an entry may have in place of an id. */
enum {
  warpo_section_end_id = -INT32_MAX, /* the innermost section of the current function ends */
  warpo_recorded_id = -0x7ffffffd,   /* the recorder had the thread since the event before */
};

/* The clocks of an event as they were read, which may go back. */
typedef struct warpo_reading {
  uint64_t time;
  uint64_t more[warpo_max_columns];
} warpo_reading;

/* How a chunk holds its entries: constants and functions that the compiler sees through. */
typedef struct warpo_chunk_form {
  size_t size;
  uint32_t columns; /* further clocks, as many as the encoder has */
  /* The id of an entry, and its clocks. `reading` has the time of the entry before. */
  int32_t (*read)(void *context, const char *entry, warpo_reading *reading);
  /* Whether an entry is an event; packing stops at others. NULL: all are. */
  bool (*is_event)(const char *entry);
} warpo_chunk_form;

/* Begins a block if there is none, at this time or at that of the last event, which is later. */
static inline void warpo_begin_events(warpo_event_encoder *encoder, uint64_t time) {
  if (!encoder->next)
    warpo_encoder_begin(encoder, time < encoder->last_time ? encoder->last_time : time);
}

/* The same for an entry of this id: a block that begins with time of the recorder begins when that
 * does, at the last event. */
static inline void warpo_begin_events_with(warpo_event_encoder *encoder, int32_t id,
                                           uint64_t time) {
  bool is_recorded = id == warpo_recorded_id && encoder->last_time != 0;
  warpo_begin_events(encoder, is_recorded ? encoder->last_time : time);
}

/* Encodes a loss; begins a block if there is none. The block has room for it. */
void warpo_pack_lost(warpo_event_encoder *encoder, uint64_t time, uint64_t count,
                     warpo_loss_cause cause);

/* The rare parts of packing: the value that an event gets whose clock went back, and the function
 * that an id stands for which is none, 0 if there is nothing to encode any more. */
uint64_t warpo_pack_time_back(warpo_event_encoder *encoder, uint64_t last_read, uint64_t time);
uint64_t warpo_pack_column_back(warpo_event_encoder *encoder, uint32_t column, uint64_t last_read,
                                uint64_t value);
int32_t warpo_pack_special_id(warpo_event_encoder *encoder, uint64_t time, int32_t id);

/* Whether an id may need warpo_pack_special_id(): 0, -2^31, the ids above, and a few others, which
 * one shift does not tell from them. */
static inline bool warpo_is_special_id(int32_t id) { return (uint32_t)id << 1 <= 6; }

/* Encodes one entry, whatever it is. */
WARPO_ALWAYS_INLINE void warpo_pack_entry(const warpo_chunk_form *form, void *context,
                                          warpo_event_encoder *encoder, warpo_reading *last,
                                          const char *at) {
  warpo_reading read;
  read.time = last->time;
  int32_t id = form->read(context, at, &read);
  uint64_t time = read.time;
  if (read.time < last->time || read.time < encoder->last_time)
    time = warpo_pack_time_back(encoder, last->time, read.time);
  last->time = read.time;
  for (uint32_t i = 0; i < form->columns; ++i) {
    uint64_t value = read.more[i];
    if (value < last->more[i] || value < encoder->column[i].last)
      read.more[i] = warpo_pack_column_back(encoder, i, last->more[i], value);
    last->more[i] = value;
  }
  if (warpo_is_special_id(id) && (id = warpo_pack_special_id(encoder, time, id)) == 0)
    return;
  warpo_encode_measured_event(encoder, time, id, read.more, form->columns);
}

/* Encodes entries up to the first that needs warpo_pack_entry(), or for which the block has no
 * room; returns where that stands. */
WARPO_ALWAYS_INLINE const char *warpo_pack_usual(const warpo_chunk_form *form, void *context,
                                                 warpo_event_encoder *encoder, warpo_reading *last,
                                                 const char *at, const char *end) {
  warpo_encoding encoding = warpo_begin_encoding(encoder, form->columns);
  uint64_t last_time = last->time;
  for (; at != end && encoding.next <= encoding.limit; at += form->size) {
    if (form->is_event && !form->is_event(at))
      break;
    warpo_reading read;
    read.time = last_time;
    int32_t id = form->read(context, at, &read);
    bool is_rare =
        warpo_is_special_id(id) | (read.time < last_time) | (read.time < encoding.last_time);
    for (uint32_t i = 0; i < form->columns; ++i)
      is_rare |= (read.more[i] < last->more[i]) | (read.more[i] < encoding.last_counts[i]);
    if (__builtin_expect(is_rare, 0) ||
        !warpo_try_encode(&encoding, read.time, id, read.more, form->columns))
      break;
    last_time = read.time;
    for (uint32_t i = 0; i < form->columns; ++i)
      last->more[i] = read.more[i];
  }
  last->time = last_time;
  warpo_end_encoding(&encoding, encoder, form->columns);
  return at;
}

/* As warpo_pack_entries(), which fetches the entries first. */
WARPO_ALWAYS_INLINE const char *warpo_pack_range(const warpo_chunk_form *form, void *context,
                                                 warpo_event_encoder *encoder, warpo_reading *last,
                                                 const char *at, const char *end) {
  for (;; at += form->size) {
    at = warpo_pack_usual(form, context, encoder, last, at, end);
    if (at == end || warpo_encoder_is_full(encoder) || (form->is_event && !form->is_event(at)))
      return at;
    warpo_pack_entry(form, context, encoder, last, at);
  }
}

/* Fetches memory into this processor's cache, nearly all lines of it at once. */
static inline void warpo_fetch(const char *at, const char *end) {
  const int line = 64;
#ifdef __wasm__
  /* There is no instruction for that. */
  uint32_t sum = 0;
  for (; at < end; at += line)
    sum += *(const uint8_t *)at;
  volatile uint32_t used = sum;
  (void)used;
#else
  for (; at < end; at += line)
    __builtin_prefetch(at);
#endif
}

/* Encodes entries until the encoder's block is full, and returns how far it came. A block has been
 * begun; `last` is the reading of the stream's last event.
 *
 * Another processor has stored the entries, so each line of its cache takes as long to come as
 * encoding its events does, unless many are under way at a time. */
WARPO_ALWAYS_INLINE const char *warpo_pack_entries(const warpo_chunk_form *form, void *context,
                                                   warpo_event_encoder *encoder,
                                                   warpo_reading *last, const char *at,
                                                   const char *end) {
  const ptrdiff_t fetched = (ptrdiff_t)form->size * 512;
  for (const char *next = at; at == next && at != end && !warpo_encoder_is_full(encoder);) {
    next = end - at > fetched ? at + fetched : end;
    warpo_fetch(at, next);
    at = warpo_pack_range(form, context, encoder, last, at, next);
  }
  return at;
}

#ifdef __cplusplus
}
#endif

#endif
