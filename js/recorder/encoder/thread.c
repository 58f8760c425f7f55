/* SPDX-License-Identifier: Apache-2.0 */
/* What threads that share this memory say to each other. */
#include "exports.h"

#include <stdint.h>

/* Who may work in this memory: js/recorder/threads/thread-gate.mjs. */
EXPORT(gate) uint32_t *get_gate(void) {
  static struct {
    uint32_t state;
    uint32_t pages; /* of the memory, as those who work in it have seen it */
  } gate;
  return &gate.state;
}

/* The thread that takes the events from the buffer, if there is one: js/recorder/threads/drain.mjs.
 */
EXPORT(drain) double *get_drain(void) {
  static struct {
    double counts[4]; /* of events: written, lostToBuffer, lostToFailure, meaningless */
    uint32_t state;
  } drain;
  return drain.counts;
}
