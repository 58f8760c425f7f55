/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a record that may be removed, so that a full disk has room for the record's end. */
#ifndef WARPO_RECORDER_TAIL_H
#define WARPO_RECORDER_TAIL_H

#include "warpo/Recorder/record_blocks.h"

/* The last blocks of a file that have events or samples, and how many these are. They are at least
 * as large as the record's end. */
typedef struct warpo_tail {
  uint64_t begin, events;
  uint64_t before, events_before; /* the same of those in front of them */
} warpo_tail;

/* Begins after the start of the file. */
static inline warpo_tail warpo_tail_at(uint64_t offset) {
  return (warpo_tail){offset, 0, offset, 0};
}

static inline void warpo_tail_add(warpo_tail *tail, uint64_t offset, uint64_t events) {
  if (offset - tail->begin >= warpo_end_block_size)
    *tail = (warpo_tail){offset, 0, tail->begin, tail->events};
  tail->events += events;
}

/* Where to cut a file of this size, and how many events are lost with that. */
static inline uint64_t warpo_tail_cut(const warpo_tail *tail, uint64_t size, uint64_t *events) {
  bool is_enough = size - tail->begin >= warpo_end_block_size;
  *events = tail->events + (is_enough ? 0 : tail->events_before);
  return is_enough ? tail->begin : tail->before;
}

#endif
