/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of samples. A stack is a node of a tree: its innermost frame and its parent, the stack
 * around it. Number 0 is the empty stack. */
#ifndef WARPO_RECORDER_STACKS_H
#define WARPO_RECORDER_STACKS_H

#include "warpo/Recorder/record_blocks.h"

static const uint64_t warpo_text_module = UINT64_MAX;

typedef struct warpo_stack_node {
  uint64_t parent;
  uint64_t module; /* its number, or warpo_text_module */
  int32_t id;
  const char *text; /* owned; NULL for a function */
  uint32_t offset;  /* where it was executing: warpo_add_offset() */
  bool is_original;
} warpo_stack_node;

typedef struct warpo_stacks {
  warpo_stack_node *nodes; /* number n stands at n - 1 */
  uint64_t count, capacity;
  uint32_t *slots; /* open addressing; a power of two of them, at least half of them 0 */
  uint64_t slot_count;
  warpo_block block; /* in `bytes`: what has not been written */
  uint8_t bytes[warpo_stacks_block_size];
  warpo_block offsets; /* of those stacks, in front of them: up to number `last_offset` */
  uint64_t last_offset;
  uint8_t offset_bytes[warpo_stacks_block_size];
} warpo_stacks;

/* NULL without memory. */
warpo_stacks *warpo_stacks_new(void);

/* The stack that a frame forms with its parent; queues a new one to be written. Returns 0 without
 * memory, or if the record has as many stacks as the format allows. Copies the frame's text. The
 * blocks must not be full. */
uint64_t warpo_stacks_child(warpo_stacks *stacks, const warpo_stack_node *frame);
bool warpo_stacks_is_full(const warpo_stacks *stacks);
void warpo_stacks_free(warpo_stacks *stacks);

#endif
