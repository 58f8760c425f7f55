/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an event encoder before it packs. A thread may be terminated at any instruction;
 * another thread then finishes its record in the same memory, from the last checkpoint on.
 *
 * Memory that is not shared is gone with its thread; checkpoints are empty when built for it. */
#ifndef WARPO_JS_CHECKPOINT_H
#define WARPO_JS_CHECKPOINT_H

#include "warpo/Recorder/event_packing.h"

typedef struct checkpoint {
  uint32_t is_set;
  warpo_event_encoder encoder;
  warpo_reading last_read;
  int32_t *calls; /* a copy: packing writes over the encoder's own */
  uint32_t capacity;
} checkpoint;

#ifdef __wasm_atomics__

/* Sets no checkpoint if there is no memory. */
void set_checkpoint(checkpoint *, const warpo_event_encoder *, const warpo_reading *last_read);
/* Inline, because a thread may be terminated at a call: there must be none between this and the
 * caller's store before it. */
static inline void drop_checkpoint(checkpoint *at) {
  __atomic_store_n(&at->is_set, 0, __ATOMIC_SEQ_CST);
}
/* Restores the encoder from the checkpoint if one is set. False without memory. */
bool return_to_checkpoint(checkpoint *, warpo_event_encoder *, warpo_reading *last_read);

#else

static inline void set_checkpoint(checkpoint *at, const warpo_event_encoder *encoder,
                                  const warpo_reading *last_read) {
  (void)at, (void)encoder, (void)last_read;
}
static inline void drop_checkpoint(checkpoint *at) { (void)at; }
static inline bool return_to_checkpoint(checkpoint *at, warpo_event_encoder *encoder,
                                        warpo_reading *last_read) {
  (void)at, (void)encoder, (void)last_read;
  return true;
}

#endif

#endif
