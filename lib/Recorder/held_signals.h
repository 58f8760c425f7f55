/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks the signals that a failing write raises. */
#ifndef WARPO_RECORDER_HELD_SIGNALS_H
#define WARPO_RECORDER_HELD_SIGNALS_H

#include <signal.h>

/* A write that fails with EPIPE or EFBIG also sends its thread SIGPIPE or SIGXFSZ. They are blocked
 * meanwhile, and the one raised by `error` is consumed. */
typedef struct warpo_held_signals {
  sigset_t before, waiting;
} warpo_held_signals;
void warpo_hold_signals(warpo_held_signals *held);
void warpo_release_signals(const warpo_held_signals *held, int error);

#endif
