/* SPDX-License-Identifier: Apache-2.0 */
/* What all who fill blocks need of them. */
#ifndef WARPO_JS_ENCODER_BLOCKS_H
#define WARPO_JS_ENCODER_BLOCKS_H

#include "warpo/Recorder/record_blocks.h"

/* A block of JavaScript. If its thread is ended, another one goes on with what is kept of it. */
typedef struct warpo_js_block {
  warpo_block block;
  size_t kept;          /* of its size: all that was complete, and is not written yet */
  uint32_t kept_events; /* in that */
} warpo_js_block;

/* All of the block is complete, with so many more events. No call: a thread that is ended has done
 * all of it or nothing. */
static inline void warpo_js_keep(warpo_block *block, uint32_t events) {
  warpo_js_block *kept = (warpo_js_block *)block;
  kept->kept = block->size;
  kept->kept_events += events;
}

/* Makes room for so much beside a few numbers. Without memory the block will not fit. */
warpo_block *warpo_js_room(warpo_block *block, size_t size);

#endif
