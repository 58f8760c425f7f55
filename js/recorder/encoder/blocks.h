/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that fill blocks. */
#ifndef WARPO_JS_ENCODER_BLOCKS_H
#define WARPO_JS_ENCODER_BLOCKS_H

#include "warpo/Recorder/record_blocks.h"

/* A block owned by JavaScript. If its thread is terminated, another thread continues with the part
 * that was kept. */
typedef struct warpo_js_block {
  warpo_block block;
  size_t kept;          /* of its size: all that was complete, and is not written yet */
  uint32_t kept_events; /* in that */
} warpo_js_block;

/* Keeps the whole block, which has `events` more events. Contains no call: a terminated thread has
 * done all of this or nothing. */
static inline void warpo_js_keep(warpo_block *block, uint32_t events) {
  warpo_js_block *kept = (warpo_js_block *)block;
  kept->kept = block->size;
  kept->kept_events += events;
}

/* Makes room for `size` bytes and a few numbers. Without memory, the block will not fit. */
warpo_block *warpo_js_room(warpo_block *block, size_t size);

#endif
