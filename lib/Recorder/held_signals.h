/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that a failed write brings with it. */
#ifndef WARPO_RECORDER_HELD_SIGNALS_H
#define WARPO_RECORDER_HELD_SIGNALS_H

#include <signal.h>

/* A write that fails with EPIPE or EFBIG sends its thread SIGPIPE or SIGXFSZ besides: they are held
 * back there, and what came of `error` meanwhile is taken away again. */
typedef struct warpo_held_signals {
  sigset_t before, waiting;
} warpo_held_signals;
void warpo_hold_signals(warpo_held_signals *held);
void warpo_release_signals(const warpo_held_signals *held, int error);

#endif
