/* SPDX-License-Identifier: Apache-2.0 */
/* What a program does with its heap, and who does it: each allocation, free and growth of a memory
 * or a table, as modules tell that warpo-instrument --instrumentation=heap has changed.
 *
 *     warpo_sample_stream *stream = warpo_heap_stream_open(recorder, module_id);
 *     uint64_t stack = warpo_heap_stack(stream, 0, &frame); // ... of each frame, outermost first
 *     warpo_heap_change change = {WARPO_HEAP_ALLOCATES, memory, address, size, 0};
 *     if (warpo_heap_chooses(stream, &change))
 *       warpo_heap_changed(stream, stack, &change);
 *     warpo_sample_stream_close(stream);
 *
 * Streams are those of sample_stream.h, with the same limits.
 */
#ifndef WARPO_RECORDER_HEAP_STREAM_H
#define WARPO_RECORDER_HEAP_STREAM_H

#include "warpo/Recorder/sample_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As `builtin.heap` numbers them. */
typedef enum warpo_heap_change_kind {
  WARPO_HEAP_ALLOCATES = 0,
  WARPO_HEAP_FREES = 1,
  WARPO_HEAP_REALLOCATES = 2,
  WARPO_HEAP_HAS_SIZE = 3,
  WARPO_HEAP_TABLE_HAS_SIZE = 5,
} warpo_heap_change_kind;

typedef struct warpo_heap_change {
  int kind;         /* a warpo_heap_change_kind; others are left out */
  uint32_t memory;  /* different memories of the record have different numbers; so have tables */
  uint64_t address; /* that was given; 0: it failed. Or that is freed */
  uint64_t size;    /* in bytes, as asked for; or of the whole memory, or table: in elements */
  uint64_t old_address; /* that is reallocated */
} warpo_heap_change;

WARPO_RECORDER_API warpo_sample_stream *warpo_heap_stream_open(warpo_recorder *recorder,
                                                               uint64_t module);

/* From now on all streams of the recorder have a sample of what is told: points lie `interval`
 * bytes apart in the mean, by a distribution of which `seed` decides, and an allocation is chosen
 * if one lies in it. 0: everything is recorded, as if this was not called. Before the first change.
 */
WARPO_RECORDER_API void warpo_heap_sample(warpo_sample_stream *stream, uint64_t interval,
                                          uint64_t seed);

/* Whether a change is to be recorded; perhaps it becomes another one for that. To be asked once for
 * each, before its stack has to be known. What becomes of objects that were chosen always is. */
WARPO_RECORDER_API bool warpo_heap_chooses(warpo_sample_stream *stream, warpo_heap_change *change);

/* The number of the stack that `frame` makes within the stack of number `around`, 0 being that
 * without frames. Where the record has no room for another, the result stands for `around`, and
 * stacks within it are that same stack. Numbers hold as long as the stream is used by one process.
 */
WARPO_RECORDER_API uint64_t warpo_heap_stack(warpo_sample_stream *stream, uint64_t around,
                                             const warpo_sample_frame *frame);

/* Records what happened now, which has been chosen. What docs/record-format.md says of calls that
 * fail or ask for nothing is made of it here: embedders pass on what they are told. */
WARPO_RECORDER_API void warpo_heap_changed(warpo_sample_stream *stream, uint64_t stack,
                                           const warpo_heap_change *change);

/* How many recorded changes have a stack that ends where a frame has no room. */
WARPO_RECORDER_API uint64_t warpo_heap_cut_stacks(warpo_sample_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
