/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what instances have counted whose module warpo-instrument --instrumentation=counts has
 * changed, for warpo-annotate: docs/counts.md has an example.
 *
 * It needs no recorder: counts are no record of events.
 */
#ifndef WARPO_RECORDER_COUNT_FILE_H
#define WARPO_RECORDER_COUNT_FILE_H

#include "warpo/Recorder/trace_point.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Gives counter `number` of an instance: what its export `__warpo_counter` returns, or, of a module
 * with --counters-in=memory, the number of 8 bytes at 8 * number in its memory
 * `__warpo_counters`. */
typedef uint64_t warpo_counter_reader(void *instance, uint32_t number);

/* Writes the counts of an instance behind what the file has: a file of counts has any number of
 * them, of any modules. `module` are the bytes of the instrumented module. `within_calls`: the
 * instance has ended in the middle of its calls, by a trap or an exit; which these were is not
 * known then. Returns null, or what went wrong: a text that lives on. */
WARPO_RECORDER_API const char *warpo_counts_write(FILE *file, const void *module, size_t size,
                                                  warpo_counter_reader *counter, void *instance,
                                                  int within_calls);

#ifdef __cplusplus
}
#endif

#endif
