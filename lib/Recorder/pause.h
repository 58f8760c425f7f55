/* SPDX-License-Identifier: Apache-2.0 */
/* What a stream keeps of calls while recording is switched off: so much that the record goes on
 * with the stack that there is then. */
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
  /* Trace points without which the record's stack is wrong: ends whose calls the pause does not
   * know, with the calls that were open then, and from `open` on the begins of calls that are open
   * now. At most warpo_max_known_calls. */
  warpo_passed *passed;
  size_t open, count, capacity;
  warpo_passed last; /* trace point */
} warpo_pause;

/* A pause changes between these two only. False: another thread is changing it. */
static inline bool warpo_pause_enter(warpo_pause *pause) {
  return !atomic_exchange_explicit(&pause->in_use, true, memory_order_acquire);
}
static inline void warpo_pause_leave(warpo_pause *pause) {
  atomic_store_explicit(&pause->in_use, false, memory_order_release);
}

/* A trace point that is not recorded. False without room: the stack is as before. */
bool warpo_pause_follow(warpo_pause *pause, warpo_passed passed);

/* Nothing is known of any call. */
void warpo_pause_forget(warpo_pause *pause);

void warpo_pause_free(warpo_pause *pause);

#endif
