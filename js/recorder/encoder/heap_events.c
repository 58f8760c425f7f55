/* SPDX-License-Identifier: Apache-2.0 */
/* Heap events: samples them and writes their blocks. */
#include "blocks.h"
#include "exports.h"
#include "warpo/Recorder/heap_encoding.h"
#include "warpo/Recorder/heap_sampler.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The recorder's sampler. */
static warpo_heap_sampler heap_sampler;

/* A 64-bit value passed as a JavaScript number; it may have been rounded to 2^64. */
static uint64_t whole(double number) {
  return number >= 0x1p64 ? UINT64_MAX : number > 0 ? (uint64_t)number : 0;
}

EXPORT(sampleHeap) void sample_heap(double interval, double seed) {
  warpo_heap_sampler_init(&heap_sampler, whole(interval), whole(seed));
}

/* Whether to record an event: returns the operation to record (a free of the old address for some
 * reallocations) or -1. */
EXPORT(chooseHeapEvent)
int32_t choose_heap_event(uint32_t operation, uint32_t memory, double address, double size,
                          double old, bool others_free) {
  warpo_heap_event event = {.operation = (warpo_heap_operation)operation,
                            .memory = memory,
                            .address = whole(address),
                            .size = whole(size),
                            .old = whole(old)};
  return warpo_heap_sampler_takes(&heap_sampler, &event, others_free) ? (int32_t)event.operation
                                                                      : -1;
}

/* The bytes to the next sample, and a random gap to the one after it. */
EXPORT(heapLeft) double heap_left(void) { return heap_sampler.left; }
EXPORT(setHeapLeft) void set_heap_left(double left) { heap_sampler.left = left; }
EXPORT(heapGap) double heap_gap(void) { return warpo_heap_sampler_gap(&heap_sampler); }

/* As heap-writer.mjs stores it. A negative stack has not been written to the record yet. */
typedef struct stored_heap_event {
  uint32_t operation;
  int32_t stack;
  uint32_t memory, unused;
  double time, address, size, old;
} stored_heap_event;

/* The heap events of this memory's thread. If the thread is terminated, another one continues, and
 * packs the events anew that were being packed. heap-writer.mjs and frames.wat.in access the first
 * fields. */
static struct heap_state {
  uint32_t count; /* of those that wait: they add them */
  uint32_t most;  /* so many of them may be added by frames.wat.in */
  stored_heap_event *waiting;
  uint32_t taken;          /* so many of them are in the block, or in one before it */
  double time;             /* where a clock leaves it */
  uint32_t same_time;      /* so many more events get it */
  uint32_t has_undeclared; /* whether a stack is less than 0 */
  uint32_t stream, time_shift;
  warpo_block *block;         /* NULL: there are none */
  warpo_heap_place places[2]; /* where the block ends */
  uint32_t current;           /* which of them does */
} heap;
_Static_assert(offsetof(struct heap_state, most) == 4 &&
                   offsetof(struct heap_state, waiting) == 8 &&
                   offsetof(struct heap_state, time) == 16 &&
                   offsetof(struct heap_state, same_time) == 24 &&
                   offsetof(struct heap_state, has_undeclared) == 28 &&
                   offsetof(stored_heap_event, time) == 16 && sizeof(stored_heap_event) == 48,
               "as JavaScript and frames.wat.in have them");

/* False without memory. */
EXPORT(openHeap) bool open_heap(uint32_t stream, warpo_block *block, uint32_t most_waiting) {
  heap.waiting = malloc(most_waiting * sizeof(*heap.waiting));
  heap.stream = stream;
  heap.time_shift = warpo_heap_time_shift;
  heap.block = block;
  return heap.waiting != NULL;
}
EXPORT(heapBlock) warpo_block *heap_block(void) { return heap.block; }
EXPORT(heapEvents) uint32_t *heap_events(void) { return &heap.count; }
EXPORT(heapWaits) uint32_t heap_waits(void) { return heap.count - heap.taken; }

/* Memory is shared now: times must be exact, because they order the events of all threads. */
EXPORT(keepHeapTimes) void keep_heap_times(void) { heap.time_shift = 0; }

/* The waiting events are packed or lost. */
EXPORT(emptyHeap) void empty_heap(void) { heap.count = heap.taken = 0; }

/* Converts numbers below 2^32 the fast way: this is done for each event. */
static inline uint64_t small_or_whole(double number) {
  /* The number is now in the low bits of the mantissa. */
  double shifted = number + 0x1p52;
  uint64_t bits;
  memcpy(&bits, &shifted, sizeof(bits));
  return bits >> 32 == 0x43300000 ? (uint32_t)bits : whole(number);
}

static inline warpo_heap_event event_of(const stored_heap_event *stored, uint64_t time) {
  const warpo_heap_event event = {
      (warpo_heap_operation)stored->operation,
      time,
      (uint32_t)stored->stack,
      stored->memory,
      small_or_whole(stored->address),
      small_or_whole(stored->size),
      stored->operation == warpo_heap_reallocate ? small_or_whole(stored->old) : 0};
  return event;
}

/* Times that go backwards become the previous time. */
static inline uint64_t time_of(const stored_heap_event *stored, uint64_t last) {
  uint64_t time = whole(stored->time) >> heap.time_shift << heap.time_shift;
  return time < last ? last : time;
}

/* Packs up to `count` waiting events and returns how many. If fewer, the block is full and must be
 * written first. */
EXPORT(packHeap) uint32_t pack_heap(uint32_t count) {
  warpo_heap_place *place = &heap.places[1 - heap.current];
  *place = heap.places[heap.current];
  warpo_block *block = heap.block;
  const stored_heap_event *stored = &heap.waiting[heap.taken];
  if (block->size == 0 && count > 0) {
    const warpo_heap_event first = event_of(stored, time_of(stored, place->base.time));
    const warpo_heap_fields fields = {heap.stream, heap_sampler.interval, first.memory, first.time,
                                      heap.time_shift};
    warpo_begin_heap(block, &fields, &first, place);
  }
  /* Local copies: compilers assume that writes to the block may change anything else. */
  warpo_heap_base base = place->base;
  uint8_t *to = block->bytes + block->size;
  const uint8_t *const full = block->bytes + block->capacity - warpo_max_heap_event_size;
  uint32_t packed = 0;
  /* Most events have the time of the previous one. */
  double last_stored = -1;
  uint64_t time = 0;
  for (; packed < count && to <= full; ++packed, ++stored) {
    if (stored->time != last_stored) {
      last_stored = stored->time;
      time = time_of(stored, base.time);
    }
    const warpo_heap_event event = event_of(stored, time);
    if (!warpo_can_put_heap_event(&base, event))
      break;
    to = warpo_put_heap_event(to, &base, place->stacks, event);
  }
  place->base = base;
  block->size = (size_t)(to - block->bytes);
  /* No call from here on: a terminated thread has done all of this or nothing. */
  warpo_js_keep(block, packed);
  heap.current = 1 - heap.current;
  heap.taken += packed;
  return packed;
}
