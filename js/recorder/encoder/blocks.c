/* SPDX-License-Identifier: Apache-2.0 */
/* Writes blocks other than those of events and heap events, field by field. */
#include "blocks.h"
#include "exports.h"

#include <stdlib.h>

/* A buffer for the texts that JavaScript passes to its next call. NULL without memory. */
EXPORT(textRoom) char *text_room(size_t size) {
  static char *room;
  char *larger = realloc(room, size);
  if (larger)
    room = larger;
  return larger;
}

/* NULL without memory. */
EXPORT(newBlock) warpo_block *new_block(size_t capacity) {
  warpo_js_block *made = malloc(sizeof(*made));
  void *bytes = malloc(capacity);
  if (!made || !bytes)
    return NULL;
  *made = (warpo_js_block){warpo_block_in(bytes, capacity), 0, 0};
  return &made->block;
}

/* Continues a block of a terminated thread. */
EXPORT(resumeBlock) void resume_block(warpo_block *block) {
  block->size = ((const warpo_js_block *)block)->kept;
}
EXPORT(blockEvents) uint32_t block_events(const warpo_block *block) {
  return ((const warpo_js_block *)block)->kept_events;
}
/* Discards the block's contents. */
EXPORT(forgetBlock) void forget_block(warpo_block *block) {
  warpo_js_block *kept = (warpo_js_block *)block;
  kept->kept = kept->kept_events = 0;
}

/* The blocks of this memory's stack table (stack-table.mjs). */
static warpo_block *stack_blocks[2];

/* What was added to both blocks is complete. */
EXPORT(keepStacks) void keep_stacks(warpo_block *offsets, warpo_block *stacks) {
  warpo_js_keep(offsets, 0);
  warpo_js_keep(stacks, 0);
  stack_blocks[0] = offsets;
  stack_blocks[1] = stacks;
}
/* NULL if there are none. */
EXPORT(stackBlock) warpo_block *stack_block(uint32_t number) { return stack_blocks[number]; }

warpo_block *warpo_js_room(warpo_block *block, size_t size) {
  size_t needed = block->size + size + 128;
  if (needed <= block->capacity)
    return block;
  uint8_t *bytes = realloc(block->bytes, 2 * needed);
  if (bytes) {
    block->bytes = bytes;
    block->capacity = 2 * needed;
  }
  return block;
}

EXPORT(blockSize) size_t block_size(const warpo_block *block) { return block->size; }
EXPORT(blockBytes) const uint8_t *block_bytes(const warpo_block *block) { return block->bytes; }
EXPORT(finishBlock) size_t finish_block(warpo_block *block) { return warpo_finish_block(block); }

EXPORT(clock)
void put_clock(warpo_block *block, uint64_t number, uint64_t nanoseconds, uint64_t counts,
               uint64_t origin, uint64_t wall, uint64_t cost, const char *name, size_t size) {
  const warpo_clock_fields fields = {number, nanoseconds, counts, origin, wall, cost, cost};
  block->size = 0;
  warpo_begin_clock(warpo_js_room(block, size), &fields, warpo_text_of(name, size));
}

EXPORT(steps) void put_steps(warpo_block *block, uint64_t number, uint64_t cost) {
  block->size = 0;
  warpo_begin_steps(block, number, cost);
}

EXPORT(module)
void put_module(warpo_block *block, uint64_t number, uint64_t id, const char *name,
                size_t name_size, const char *hash, size_t hash_size, const char *build,
                size_t build_size, size_t functions) {
  const warpo_module_fields fields = {number, id, warpo_text_of(name, name_size),
                                      warpo_text_of(hash, hash_size),
                                      warpo_text_of(build, build_size)};
  block->size = 0;
  warpo_begin_module(warpo_js_room(block, name_size + hash_size + build_size), &fields, functions);
}

EXPORT(function) void put_function(warpo_block *block, int32_t id, const char *name, size_t size) {
  warpo_add_function(warpo_js_room(block, size), id, warpo_text_of(name, size));
}

EXPORT(stream)
void put_stream(warpo_block *block, uint64_t number, uint64_t module, uint64_t thread,
                const char *name, size_t size) {
  const warpo_stream_fields fields = {number, module, thread};
  block->size = 0;
  warpo_begin_stream(warpo_js_room(block, size), &fields, warpo_text_of(name, size));
}

/* Begins the further modules of the stream block just put. */
EXPORT(windows) void put_windows(warpo_block *block) { warpo_begin_windows(block); }
EXPORT(window)
void put_window(warpo_block *block, uint64_t module, int32_t id, int32_t first, uint32_t count) {
  const warpo_window window = {module, id, first, count};
  warpo_add_window(warpo_js_room(block, 0), &window);
}

EXPORT(end)
void put_end(warpo_block *block, uint64_t index, uint64_t events, uint64_t lost) {
  block->size = 0;
  warpo_begin_end(warpo_js_room(block, 0), index, events, lost);
}

EXPORT(stacks) void put_stacks(warpo_block *block, uint64_t first) {
  warpo_begin_stacks(block, first);
}
EXPORT(stack) void put_stack(warpo_block *block, uint32_t parent, uint32_t module, int32_t id) {
  warpo_add_stack(block, parent, module, id);
}
EXPORT(textStack)
void put_text_stack(warpo_block *block, uint32_t parent, const char *text, size_t size) {
  warpo_add_text_stack(block, parent, warpo_text_of(text, size));
}

EXPORT(offsets) void put_offsets(warpo_block *block, uint64_t first) {
  warpo_begin_offsets(block, first);
}
EXPORT(offset) void put_offset(warpo_block *block, uint32_t offset, bool is_original) {
  warpo_add_offset(block, offset, is_original);
}

EXPORT(samples)
void put_samples(warpo_block *block, uint64_t stream, uint32_t due, uint64_t interval,
                 uint64_t base, uint64_t fuel) {
  const warpo_samples_fields fields = {stream, due, interval, base, fuel};
  warpo_begin_samples(block, &fields);
}
EXPORT(sample) void put_sample(warpo_block *block, uint64_t time, uint64_t fuel, uint32_t stack) {
  warpo_add_sample(block, time, fuel, stack);
}

EXPORT(switches) void put_switches(warpo_block *block, uint64_t base) {
  warpo_begin_switches(block, base);
}
EXPORT(switch)
void put_switch(warpo_block *block, warpo_switch_kind kind, uint64_t stream, uint64_t time,
                uint64_t from, uint64_t at, uint32_t stack) {
  const warpo_switch_fields fields = {kind, stream, time, from, at, stack};
  warpo_add_switch(block, &fields);
}

EXPORT(phases) void put_phases(warpo_block *block, size_t count) {
  block->size = 0;
  warpo_begin_phases(warpo_js_room(block, 0), count);
}
EXPORT(phase)
void put_phase(warpo_block *block, const char *name, size_t name_size, uint64_t begin, uint64_t end,
               const char *unit, size_t unit_size, uint64_t ticks) {
  const warpo_phase_fields fields = {warpo_text_of(name, name_size), begin, end,
                                     warpo_text_of(unit, unit_size), ticks};
  warpo_add_phase(warpo_js_room(block, name_size + unit_size), &fields);
}

/* Where JavaScript writes a payload of `size` bytes that it assembles itself. NULL without memory.
 */
EXPORT(payload) uint8_t *get_payload(warpo_block *block, warpo_block_kind kind, size_t size) {
  block->size = 0;
  warpo_js_room(block, size);
  block->kind = kind;
  block->size = warpo_block_header_size + size;
  return warpo_block_fits(block) ? block->bytes + warpo_block_header_size : NULL;
}
