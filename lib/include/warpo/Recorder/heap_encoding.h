/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes the entries of a block of heap events. Inline, because a program may allocate tens of
 * millions of times a second. */
#ifndef WARPO_RECORDER_HEAP_ENCODING_H
#define WARPO_RECORDER_HEAP_ENCODING_H

#include "warpo/Recorder/record_blocks.h"

/* Whether the event can follow one with this base. */
static inline bool warpo_can_put_heap_event(const warpo_heap_base *base, warpo_heap_event event) {
  uint64_t low = ((uint64_t)1 << base->shift) - 1;
  uint64_t since = event.time - base->time;
  return ((event.address | event.old) & low) == 0 &&
         (since & (((uint64_t)1 << base->time_shift) - 1)) == 0 &&
         since >> base->time_shift >> (64 - warpo_heap_operation_bits) == 0;
}

static inline uint8_t *warpo_put_heap_stack(uint8_t *to, uint64_t *stacks, uint64_t stack) {
  /* Nearly all stacks are this small, and a 32-bit remainder is faster. */
  unsigned slot = stack <= UINT32_MAX ? (uint32_t)stack % warpo_heap_slots
                                      : (unsigned)(stack % warpo_heap_slots);
  if (stacks[slot] == stack)
    return warpo_put_u(to, slot + 1);
  stacks[slot] = stack;
  return warpo_put_u(warpo_put_u(to, 0), stack);
}

static inline uint8_t *warpo_put_heap_address(uint8_t *to, warpo_heap_base *base,
                                              uint64_t address) {
  uint64_t difference = (uint64_t)((int64_t)(address - base->address) >> base->shift);
  base->address = address;
  return warpo_put_u(to, warpo_zigzag(difference));
}

/* Writes at most warpo_max_heap_event_size bytes and returns their end. `base` and `stacks` are
 * those of the block's place; `base` may be a local copy. */
static inline uint8_t *warpo_put_heap_event(uint8_t *to, warpo_heap_base *base, uint64_t *stacks,
                                            warpo_heap_event event) {
  if (event.memory != base->memory) {
    to = warpo_put_u(warpo_put_u(to, warpo_heap_memory), event.memory);
    base->memory = event.memory;
  }
  to = warpo_put_u(to, (event.time - base->time) >> base->time_shift << warpo_heap_operation_bits |
                           event.operation);
  base->time = event.time;
  to = warpo_put_heap_stack(to, stacks, event.stack);
  if (event.operation != warpo_heap_free)
    to = warpo_put_u(to, event.size);
  if (event.operation == warpo_heap_reallocate)
    to = warpo_put_heap_address(to, base, event.old);
  if (event.operation < warpo_heap_grow)
    to = warpo_put_heap_address(to, base, event.address);
  return to;
}

#endif
