/* SPDX-License-Identifier: Apache-2.0 */
/* Heap events: which are recorded, and their blocks. */
#include "exports.h"
#include "warpo/Recorder/heap_sampler.h"
#include "warpo/Recorder/record_blocks.h"

/* The block of heap events that is being filled, and what chooses them: a recorder has one of each.
 */
static warpo_heap_place heap_place;
static warpo_heap_sampler heap_sampler;

/* A value that is passed as a number of JavaScript may be 2^64, rounded. */
static uint64_t whole(double number) {
  return number >= 0x1p64 ? UINT64_MAX : number > 0 ? (uint64_t)number : 0;
}

EXPORT(sampleHeap) void sample_heap(double interval, double seed) {
  warpo_heap_sampler_init(&heap_sampler, whole(interval), whole(seed));
}

/* The operation that is to be recorded of such an event, of the old address where it has become a
 * free of that; -1: none. */
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

/* The bytes up to the next sample, and a gap to another one. */
EXPORT(heapLeft) double heap_left(void) { return heap_sampler.left; }
EXPORT(setHeapLeft) void set_heap_left(double left) { heap_sampler.left = left; }
EXPORT(heapGap) double heap_gap(void) { return warpo_heap_sampler_gap(&heap_sampler); }

/* As heap-writer.mjs has it. */
typedef struct told_heap_event {
  double operation, time, stack, memory, address, size, old;
} told_heap_event;

/* The first event of a block begins it. Returns how many were added: the next one needs another
 * block. */
EXPORT(heapEvents)
uint32_t put_heap_events(warpo_block *block, uint32_t stream, const told_heap_event *told,
                         uint32_t count, uint32_t time_shift) {
  for (uint32_t done = 0; done < count; ++done) {
    const warpo_heap_event event = {(warpo_heap_operation)told[done].operation,
                                    whole(told[done].time),
                                    whole(told[done].stack),
                                    whole(told[done].memory),
                                    whole(told[done].address),
                                    whole(told[done].size),
                                    whole(told[done].old)};
    if (block->size == 0) {
      const warpo_heap_fields fields = {stream, heap_sampler.interval, event.memory, event.time,
                                        time_shift};
      warpo_begin_heap(block, &fields, &event, &heap_place);
    } else if (!warpo_block_has_room(block, warpo_max_heap_event_size) ||
               !warpo_heap_event_fits(&heap_place, &event)) {
      return done;
    }
    warpo_add_heap_event(block, &heap_place, &event);
  }
  return count;
}
