/* SPDX-License-Identifier: Apache-2.0 */
/* What has been written to a record, and its index. */
#include "blocks.h"
#include "exports.h"
#include "streams.h"

#include <stdlib.h>

/* What the record's end block reports. */
typedef struct record {
  warpo_index_entry *entries;
  size_t size, capacity; /* SIZE_MAX: without memory the index is left out */
  uint64_t offset;       /* where the next block goes */
  uint64_t events;       /* and samples */
  double lost;
} record;

static record *last_record;

EXPORT(newRecord) record *new_record(void) {
  record *made = malloc(sizeof(*made));
  if (made)
    *made = (record){NULL, 0, 0, 0, 0, 0};
  return last_record = made;
}
EXPORT(lastRecord) record *get_last_record(void) { return last_record; }

EXPORT(written) double written(const record *of) { return (double)of->offset; }
EXPORT(writtenEvents) double written_events(const record *of) { return (double)of->events; }
EXPORT(lost) double get_lost(const record *of) { return of->lost; }
EXPORT(setLost) void set_lost(record *of, double lost) { of->lost = lost; }

/* The number of blocks of events. */
EXPORT(indexed) double indexed(const record *of) {
  return of->size == SIZE_MAX ? 0 : (double)of->size;
}

/* Counts a written block of samples or without entries; `block` is NULL if it did not come from
 * newBlock(). */
EXPORT(advance) void advance(record *of, warpo_js_block *block, size_t size, double events) {
  /* No call: a terminated thread has done all of this or nothing. */
  of->events += (uint64_t)events;
  of->offset += size;
  if (block)
    block->kept = block->kept_events = 0;
}

static bool has_room_for_entry(record *to) {
  if (to->size != to->capacity)
    return true;
  size_t capacity = 2 * to->capacity + 64;
  warpo_index_entry *entries = realloc(to->entries, capacity * sizeof(*entries));
  if (!entries)
    return false;
  to->entries = entries;
  to->capacity = capacity;
  return true;
}

static void add_entry(record *to, const warpo_index_entry *entry) {
  bool has_room = to->size != SIZE_MAX && has_room_for_entry(to);
  /* No call from here on: a terminated thread has done all of this or nothing. */
  if (has_room)
    to->entries[to->size++] = *entry;
  else
    to->size = SIZE_MAX;
}

/* The stream's block, finished just before, has been written. */
EXPORT(publish) void publish(record *to, stream *of) {
  const warpo_event_encoder *encoder = &of->encoder;
  const warpo_index_entry entry = {to->offset, encoder->stream, encoder->first_time,
                                   encoder->last_time};
  add_entry(to, &entry);
  to->events += encoder->events;
  to->offset += of->unpublished;
  of->unpublished = 0;
}

/* Counts a written block with events of another record; `advance()` counts the events. */
EXPORT(adopt)
void adopt(record *to, size_t size, uint64_t stream, uint64_t first, uint64_t last) {
  const warpo_index_entry entry = {to->offset, stream, first, last};
  add_entry(to, &entry);
  to->offset += size;
}
EXPORT(leaveOutIndex) void leave_out_index(record *of) { of->size = SIZE_MAX; }

/* Removes everything written since `offset` from the counts. */
EXPORT(takeBack) void take_back(record *of, double offset, double events) {
  of->offset = (uint64_t)offset;
  of->events = (uint64_t)events;
  while (of->size != SIZE_MAX && of->size > 0 && of->entries[of->size - 1].offset >= of->offset)
    --of->size;
}

/* Writes the index; false if there is none. */
EXPORT(index) bool put_index(warpo_block *block, const record *from) {
  block->size = 0;
  if (from->size == SIZE_MAX || from->size > warpo_max_payload / 4)
    return false;
  warpo_js_room(block, from->size * warpo_max_index_entry_size);
  warpo_begin_index(block, from->entries, from->size);
  return warpo_block_fits(block);
}
