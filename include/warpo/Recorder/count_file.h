/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the counters of instances whose module was changed by
 * warpo-instrument --instrumentation=counts, for warpo-annotate.
 * docs/counts.md has an example.
 *
 * This needs no recorder: counts are not a record of events. */
#ifndef WARPO_RECORDER_COUNT_FILE_H
#define WARPO_RECORDER_COUNT_FILE_H

#include "warpo/Recorder/trace_point.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns counter `number` of an instance: the result of its export `__warpo_counter` or,
 * with --counters-in=memory, the 8-byte number at 8 * number in its memory
 * `__warpo_counters`. */
typedef uint64_t warpo_counter_reader(void *instance, uint32_t number);

/* Appends the counts of an instance to a file, which may have counts of any number of instances and
 * modules. `module`: the bytes of the instrumented module. `within_calls`: the instance ended
 * during calls, by a trap or an exit; it is unknown which calls these were. Returns null or a
 * static error message. */
WARPO_RECORDER_API const char *warpo_counts_write(FILE *file, const void *module, size_t size,
                                                  warpo_counter_reader *counter, void *instance,
                                                  int within_calls);

#ifdef __cplusplus
}
#endif

#endif
