/* What samples.c and stacks.c share. A stack is a node of a tree: its innermost frame and, as its
 * parent, the stack around that; 0 is the stack without frames. */
#ifndef WARPO_RECORDER_SAMPLES_H
#define WARPO_RECORDER_SAMPLES_H

#include "internal.h"
#include "warpo/Recorder/sample_stream.h"

enum {
  stacks_block = 1 << 16,
  most_text = 1024,
  /* A node in a block: three numbers and a text. */
  most_node = 30 + most_text,
};
static const uint64_t warpo_text_module = UINT64_MAX;

typedef struct warpo_stack_node {
  uint64_t parent;
  uint64_t module; /* its number, or warpo_text_module */
  int32_t id;
  char *text; /* owned; NULL for a function */
} warpo_stack_node;

typedef struct warpo_stacks {
  warpo_stack_node *nodes; /* number n stands at n - 1 */
  uint64_t count, capacity;
  uint32_t *slots; /* open addressing; a power of two of them, at least half of them 0 */
  uint64_t slot_count;
  uint8_t *next; /* behind what has not been written; NULL: all has */
  uint8_t block[stacks_block];
} warpo_stacks;

/* The stack of `parent` and one frame more, which is put down to be written if it is new; 0 if
 * there is no memory, or there are 2^20 already. The block must not be full. */
uint64_t warpo_stacks_child(warpo_stacks *stacks, uint64_t parent, uint64_t module, int32_t id,
                            const char *text);
bool warpo_stacks_is_full(const warpo_stacks *stacks);
void warpo_stacks_free(warpo_stacks *stacks);

/* Writes what is new; the caller holds `lock`. */
bool warpo_stacks_write(warpo_recorder *recorder);

#endif
