/* SPDX-License-Identifier: Apache-2.0 */
#include "warpo/Recorder/record_blocks.h"
#include "warpo/Recorder/heap_encoding.h"

void warpo_block_bytes(warpo_block *block, const void *bytes, size_t size) {
  if (block->size <= block->capacity && size <= block->capacity - block->size && size > 0)
    memcpy(block->bytes + block->size, bytes, size);
  block->size += size;
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
  warpo_block_begin(block, warpo_block_heap);
  warpo_block_u(block, fields->stream);
  warpo_block_u(block, fields->interval);
  warpo_block_u(block, fields->memory);
  warpo_block_u(block, place->base.shift);
  warpo_block_u(block, place->base.time_shift);
  warpo_block_u64(block, fields->base);
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
