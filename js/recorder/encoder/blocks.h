/* SPDX-License-Identifier: Apache-2.0 */
/* What all who fill blocks need of them. */
#ifndef WARPO_JS_ENCODER_BLOCKS_H
#define WARPO_JS_ENCODER_BLOCKS_H

#include "warpo/Recorder/record_blocks.h"

/* Makes room for so much beside a few numbers. Without memory the block will not fit. */
warpo_block *warpo_js_room(warpo_block *block, size_t size);

#endif
