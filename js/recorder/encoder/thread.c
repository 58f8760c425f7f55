/* SPDX-License-Identifier: Apache-2.0 */
/* State for coordination between threads that share this memory. */
#include "exports.h"

#include <stdint.h>

/* Which thread may use this memory: js/recorder/threads/thread-gate.mjs. */
EXPORT(gate) uint32_t *get_gate(void) {
  static struct {
    uint32_t state;
    uint32_t pages; /* of the memory, as those who work in it have seen it */
  } gate;
  return &gate.state;
}

/* The thread that drains the buffer, if any: js/recorder/threads/drain.mjs. */
EXPORT(drain) double *get_drain(void) {
  static struct {
    double counts[4]; /* of events: written, lostToBuffer, lostToFailure, meaningless */
    uint32_t state;
  } drain;
  return drain.counts;
}
