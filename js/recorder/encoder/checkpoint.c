/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint.h"

#include <stdlib.h>
#include <string.h>

#ifdef __wasm_atomics__

static bool has_room(checkpoint *at, uint32_t calls) {
  if (calls <= at->capacity)
    return true;
  free(at->calls);
  at->capacity = 2 * calls;
  at->calls = malloc(at->capacity * sizeof(*at->calls));
  if (!at->calls)
    at->capacity = 0;
  return at->calls;
}

void set_checkpoint(checkpoint *at, const warpo_event_encoder *encoder,
                    const warpo_reading *last_read) {
  if (!has_room(at, encoder->depth))
    return;
  at->encoder = *encoder;
  at->last_read = *last_read;
  memcpy(at->calls, encoder->calls, encoder->depth * sizeof(*at->calls));
  __atomic_store_n(&at->is_set, 1, __ATOMIC_SEQ_CST);
}

bool return_to_checkpoint(checkpoint *at, warpo_event_encoder *encoder, warpo_reading *last_read) {
  if (!__atomic_load_n(&at->is_set, __ATOMIC_SEQ_CST))
    return true;
  /* Allocate a new array: the encoder's own may be inconsistent. */
  size_t capacity = at->encoder.depth + 256;
  int32_t *calls = malloc(capacity * sizeof(*calls));
  if (!calls)
    return false;
  memcpy(calls, at->calls, at->encoder.depth * sizeof(*calls));
  *encoder = at->encoder;
  encoder->calls = calls;
  encoder->capacity = (uint32_t)capacity;
  *last_read = at->last_read;
  drop_checkpoint(at);
  return true;
}

#endif
