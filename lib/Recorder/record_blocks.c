/* SPDX-License-Identifier: Apache-2.0 */
#include "warpo/Recorder/record_blocks.h"
#include "warpo/Recorder/heap_encoding.h"

/* ---- Fields ---- */

static void put_bytes(warpo_block *block, const void *bytes, size_t size) {
  if (block->size <= block->capacity && size <= block->capacity - block->size && size > 0)
    memcpy(block->bytes + block->size, bytes, size);
  block->size += size;
}

static void put_u(warpo_block *block, uint64_t value) {
  uint8_t bytes[warpo_max_u_size];
  put_bytes(block, bytes, (size_t)(warpo_put_u(bytes, value) - bytes));
}

static void put_u64(warpo_block *block, uint64_t value) {
  uint8_t bytes[8];
  warpo_put_fixed(bytes, value, sizeof(bytes));
  put_bytes(block, bytes, sizeof(bytes));
}

static void put_text(warpo_block *block, warpo_text text) {
  put_u(block, text.size);
  put_bytes(block, text.bytes, text.size);
}

/* ---- Blocks ---- */

static void begin(warpo_block *block, warpo_block_kind kind) {
  block->size = warpo_block_header_size;
  block->kind = kind;
}

size_t warpo_finish_block(warpo_block *block) {
  size_t size = block->size;
  block->size = 0;
  if (size > block->capacity || size - warpo_block_header_size > warpo_max_payload)
    return 0;
  warpo_frame_block(block->bytes, block->kind, 0, size - warpo_block_header_size);
  return size;
}

uint32_t warpo_check_block(const uint8_t *header, size_t size) {
  uint32_t check = warpo_crc32c(0, header + warpo_sync_size, 8);
  return warpo_crc32c(check, header + warpo_block_header_size, size);
}

void warpo_frame_block(uint8_t *header, warpo_block_kind kind, uint8_t flags, size_t size) {
  memcpy(header, WARPO_SYNC, warpo_sync_size);
  header[4] = (uint8_t)kind;
  header[5] = flags;
  header[6] = header[7] = 0;
  warpo_put_fixed(header + 8, size, 4);
  warpo_put_fixed(header + 12, warpo_check_block(header, size), 4);
}

void warpo_begin_clock(warpo_block *block, const warpo_clock_fields *clock, warpo_text name) {
  begin(block, warpo_block_clock);
  put_u64(block, clock->number);
  put_u64(block, clock->nanoseconds);
  put_u64(block, clock->counts);
  put_u64(block, clock->origin);
  put_u64(block, clock->wall);
  put_u64(block, clock->begin);
  put_u64(block, clock->end);
  put_text(block, name);
}

void warpo_begin_module(warpo_block *block, const warpo_module_fields *module, uint64_t functions) {
  begin(block, warpo_block_module);
  put_u(block, module->number);
  put_u(block, module->id);
  put_text(block, module->name);
  put_text(block, module->hash);
  put_text(block, module->build);
  put_u(block, functions);
}

void warpo_add_function(warpo_block *block, int32_t id, warpo_text name) {
  put_u(block, (uint32_t)id);
  put_text(block, name);
}

void warpo_begin_linked(warpo_block *block, uint64_t module) {
  begin(block, warpo_block_linked);
  put_u(block, module);
}

void warpo_add_linked(warpo_block *block, int32_t id) { put_u(block, warpo_function_code(id)); }

void warpo_begin_stream(warpo_block *block, const warpo_stream_fields *stream, warpo_text name) {
  begin(block, warpo_block_stream);
  put_u(block, stream->number);
  put_u(block, stream->module);
  put_u(block, stream->thread);
  put_text(block, name);
}

void warpo_begin_windows(warpo_block *block) { put_u(block, 0); /* flags */ }

void warpo_add_window(warpo_block *block, const warpo_window *window) {
  put_u(block, window->module);
  put_u(block, warpo_function_code(window->id));
  put_u(block, warpo_function_code(window->first));
  put_u(block, window->count);
}

void warpo_begin_index(warpo_block *block, const warpo_index_entry *entries, size_t count) {
  begin(block, warpo_block_index);
  put_u(block, count);
  uint64_t offset = 0, time = 0;
  for (size_t i = 0; i < count; ++i) {
    const warpo_index_entry *entry = &entries[i];
    put_u(block, entry->offset - offset);
    put_u(block, entry->stream);
    put_u(block, entry->first - time);
    put_u(block, entry->last - entry->first);
    offset = entry->offset;
    time = entry->first;
  }
}

void warpo_begin_end(warpo_block *block, uint64_t index, uint64_t events, uint64_t lost) {
  begin(block, warpo_block_end);
  put_u64(block, index);
  put_u64(block, events);
  put_u64(block, lost);
}

void warpo_begin_stacks(warpo_block *block, uint64_t first) {
  begin(block, warpo_block_stacks);
  put_u(block, first);
}

void warpo_add_stack(warpo_block *block, uint64_t parent, uint64_t module, int32_t id) {
  put_u(block, parent);
  put_u(block, module + 1);
  put_u(block, warpo_function_code(id));
}

void warpo_add_text_stack(warpo_block *block, uint64_t parent, warpo_text frame) {
  put_u(block, parent);
  put_u(block, 0);
  put_text(block, frame);
}

void warpo_begin_offsets(warpo_block *block, uint64_t first) {
  begin(block, warpo_block_offsets);
  put_u(block, first);
}

void warpo_add_offset(warpo_block *block, uint32_t offset, bool is_original) {
  put_u(block, offset == 0 ? 0 : 2 * (uint64_t)offset + !is_original);
}

void warpo_begin_samples(warpo_block *block, const warpo_samples_fields *samples) {
  begin(block, warpo_block_samples);
  put_u(block, samples->stream);
  put_u(block, samples->due);
  put_u(block, samples->interval);
  put_u64(block, samples->base);
  put_u64(block, samples->fuel);
}

void warpo_add_sample(warpo_block *block, uint64_t time, uint64_t fuel, uint64_t stack) {
  put_u(block, time);
  put_u(block, fuel);
  put_u(block, stack);
}

void warpo_begin_counts(warpo_block *block, uint64_t stream, uint64_t base, uint64_t clock) {
  begin(block, warpo_block_counts);
  put_u(block, stream);
  put_u64(block, base);
  put_u(block, clock);
}

void warpo_add_count(warpo_block *block, uint64_t count) { put_u(block, count); }

void warpo_begin_phases(warpo_block *block, uint64_t count) {
  begin(block, warpo_block_phases);
  put_u(block, count);
}

void warpo_add_phase(warpo_block *block, const warpo_phase_fields *phase) {
  put_text(block, phase->name);
  put_u64(block, phase->begin);
  put_u64(block, phase->end);
  put_text(block, phase->unit);
  put_u64(block, phase->ticks);
}

void warpo_add_run(warpo_block *block, warpo_text run) { put_text(block, run); }

void warpo_begin_switches(warpo_block *block, uint64_t base) {
  begin(block, warpo_block_switches);
  put_u64(block, base);
}

void warpo_add_switch(warpo_block *block, const warpo_switch_fields *fields) {
  put_u(block, fields->kind);
  put_u(block, fields->stream);
  put_u(block, fields->time);
  put_u(block, fields->from);
  put_u(block, fields->at);
  put_u(block, fields->stack);
}

/* Most allocators align to 8 or 16 bytes. */
enum { most_heap_shift = 4 };

void warpo_begin_heap(warpo_block *block, const warpo_heap_fields *fields,
                      const warpo_heap_event *first, warpo_heap_place *place) {
  uint64_t bits = first->address | first->old | 1u << most_heap_shift;
  *place = (warpo_heap_place){
      .base = {.time = fields->base, .memory = fields->memory, .time_shift = fields->time_shift}};
  for (uint64_t slot = 0; slot < warpo_heap_slots; ++slot)
    place->stacks[slot] = slot;
  while (((bits >> place->base.shift) & 1) == 0)
    ++place->base.shift;
  begin(block, warpo_block_heap);
  put_u(block, fields->stream);
  put_u(block, fields->interval);
  put_u(block, fields->memory);
  put_u(block, place->base.shift);
  put_u(block, place->base.time_shift);
  put_u64(block, fields->base);
}

bool warpo_heap_event_fits(const warpo_heap_place *place, const warpo_heap_event *event) {
  return warpo_can_put_heap_event(&place->base, *event);
}

void warpo_add_heap_event(warpo_block *block, warpo_heap_place *place,
                          const warpo_heap_event *event) {
  if (!warpo_block_has_room(block, warpo_max_heap_event_size)) {
    block->size = block->capacity + 1;
    return;
  }
  uint8_t *to = block->bytes + block->size;
  block->size += (size_t)(warpo_put_heap_event(to, &place->base, place->stacks, *event) - to);
}

void warpo_put_places(warpo_block *block, uint64_t module, warpo_text contents) {
  begin(block, warpo_block_places);
  put_u(block, module);
  put_bytes(block, contents.bytes, contents.size);
}
