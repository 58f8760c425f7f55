/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of samples, each stored once. */
#define _POSIX_C_SOURCE 200809L /* strnlen, strndup */
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

/* The hash of a node whose text has this size. */
static uint64_t hash_of(const warpo_stack_node *node, size_t size) {
  uint64_t hash = node->parent * 0x9e3779b97f4a7c15u ^ node->module * 0xc2b2ae3d27d4eb4fu ^
                  (uint32_t)node->id ^ (uint64_t)node->offset * 0x165667b19e3779f9u;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ (uint8_t)node->text[i]) * 0x100000001b3u;
  return hash ^ hash >> 32;
}

static bool is(const warpo_stack_node *node, const warpo_stack_node *wanted, size_t size) {
  if (node->parent != wanted->parent || node->module != wanted->module)
    return false;
  if (node->text)
    return strlen(node->text) == size && memcmp(node->text, wanted->text, size) == 0;
  return node->id == wanted->id && node->offset == wanted->offset &&
         node->is_original == wanted->is_original;
}

static bool grow(warpo_stacks *stacks) {
  if (stacks->count == stacks->capacity) {
    uint64_t capacity = stacks->capacity ? 2 * stacks->capacity : 256;
    warpo_stack_node *nodes = realloc(stacks->nodes, capacity * sizeof(*nodes));
    if (!nodes)
      return false;
    stacks->nodes = nodes;
    stacks->capacity = capacity;
  }
  if (2 * (stacks->count + 1) <= stacks->slot_count)
    return true;
  uint64_t count = stacks->slot_count ? 2 * stacks->slot_count : 1024;
  uint32_t *slots = calloc(count, sizeof(*slots));
  if (!slots)
    return false;
  for (uint64_t i = 0; i < stacks->count; ++i) {
    const warpo_stack_node *node = &stacks->nodes[i];
    uint64_t slot = hash_of(node, node->text ? strlen(node->text) : 0);
    while (slots[slot &= count - 1])
      ++slot;
    slots[slot] = (uint32_t)(i + 1);
  }
  free(stacks->slots);
  stacks->slots = slots;
  stacks->slot_count = count;
  return true;
}

bool warpo_stacks_is_full(const warpo_stacks *stacks) {
  /* Each stack since the last one with an offset takes a byte. */
  size_t offset = stacks->count - stacks->last_offset + warpo_max_offset_size;
  return !warpo_block_has_room(&stacks->block, warpo_max_stack_size) ||
         (stacks->offsets.size > 0 && !warpo_block_has_room(&stacks->offsets, offset));
}

/* Notes the offset of the last stack; stacks between have none. */
static void put_down_offset(warpo_stacks *stacks, const warpo_stack_node *node) {
  if (stacks->offsets.size == 0)
    warpo_begin_offsets(&stacks->offsets, stacks->count);
  else
    while (++stacks->last_offset < stacks->count)
      warpo_add_offset(&stacks->offsets, 0, false);
  stacks->last_offset = stacks->count;
  warpo_add_offset(&stacks->offsets, node->offset, node->is_original);
}

static void put_down(warpo_stacks *stacks, const warpo_stack_node *node, size_t size) {
  if (stacks->block.size == 0)
    warpo_begin_stacks(&stacks->block, stacks->count);
  if (node->text)
    warpo_add_text_stack(&stacks->block, node->parent, warpo_text_of(node->text, size));
  else
    warpo_add_stack(&stacks->block, node->parent, node->module, node->id);
  if (node->offset)
    put_down_offset(stacks, node);
}

/* The size of a text cut to the limit at a character boundary. */
static size_t cut(const char *text) {
  size_t size = strnlen(text, warpo_max_frame_text + 1);
  if (size <= warpo_max_frame_text)
    return size;
  for (size = warpo_max_frame_text; size > 0 && ((uint8_t)text[size] & 0xc0) == 0x80;)
    --size;
  return size;
}

uint64_t warpo_stacks_child(warpo_stacks *stacks, const warpo_stack_node *frame) {
  size_t size = frame->text ? cut(frame->text) : 0;
  if (!grow(stacks))
    return 0;
  uint64_t slot = hash_of(frame, size);
  for (uint32_t known; (known = stacks->slots[slot &= stacks->slot_count - 1]); ++slot)
    if (is(&stacks->nodes[known - 1], frame, size))
      return known;
  if (stacks->count == warpo_max_stacks)
    return 0;
  warpo_stack_node node = *frame;
  if (frame->text && !(node.text = strndup(frame->text, size)))
    return 0;
  stacks->nodes[stacks->count++] = node;
  stacks->slots[slot] = (uint32_t)stacks->count;
  put_down(stacks, &node, size);
  return stacks->count;
}

warpo_stacks *warpo_stacks_new(void) {
  warpo_stacks *stacks = calloc(1, sizeof(*stacks));
  if (!stacks)
    return NULL;
  stacks->block = warpo_block_in(stacks->bytes, sizeof(stacks->bytes));
  stacks->offsets = warpo_block_in(stacks->offset_bytes, sizeof(stacks->offset_bytes));
  return stacks;
}

void warpo_stacks_free(warpo_stacks *stacks) {
  for (uint64_t i = 0; i < stacks->count; ++i)
    free((char *)stacks->nodes[i].text);
  free(stacks->nodes);
  free(stacks->slots);
  free(stacks);
}
