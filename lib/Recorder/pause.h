/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of a stream while recording is off: what is needed to continue the record with the
 * right stack. */
#ifndef WARPO_RECORDER_PAUSE_H
#define WARPO_RECORDER_PAUSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct warpo_passed {
  uint64_t time, fuel;
  int32_t id;
} warpo_passed;

typedef struct warpo_pause {
  atomic_bool in_use; /* by the stream's thread, or by the one that ends the record */
  bool is_on;         /* the record says that recording is off, by a section that has begun */
  int32_t section;    /* its id; 0: the record has no place for it */
  uint32_t traps;     /* that came without the call that they ended */
  /* Trace points that the record's stack needs: first ends of calls that the pause does not know,
   * with the calls open at that time; from `open` on, begins of calls that are open now. At most
   * warpo_max_known_calls. */
  warpo_passed *passed;
  size_t open, count, capacity;
  warpo_passed last; /* trace point */
} warpo_pause;

/* Begins a change of the pause; false if another thread is changing it. */
static inline bool warpo_pause_enter(warpo_pause *pause) {
  return !atomic_exchange_explicit(&pause->in_use, true, memory_order_acquire);
}
static inline void warpo_pause_leave(warpo_pause *pause) {
  atomic_store_explicit(&pause->in_use, false, memory_order_release);
}

/* Follows an unrecorded trace point. False without room; the stack is then unchanged. */
bool warpo_pause_follow(warpo_pause *pause, warpo_passed passed);

/* Forgets all calls. */
void warpo_pause_forget(warpo_pause *pause);

void warpo_pause_free(warpo_pause *pause);

#endif
