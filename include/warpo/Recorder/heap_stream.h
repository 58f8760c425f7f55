/* SPDX-License-Identifier: Apache-2.0 */
/* Heap events: each allocation, free and growth of a memory or table, with its call
 * stack, as reported by modules that warpo-instrument --instrumentation=heap has
 * changed.
 *
 *   warpo_sample_stream *stream = warpo_heap_stream_open(recorder, module_id);
 *   uint64_t stack = warpo_heap_stack(stream, 0, &frame); // ... of each frame, outermost first
 *   warpo_heap_change change = {WARPO_HEAP_ALLOCATES, memory, address, size, 0};
 *   if (warpo_heap_chooses(stream, &change))
 *     warpo_heap_changed(stream, stack, &change);
 *   warpo_sample_stream_close(stream);
 *
 * Streams are those of sample_stream.h, with the same limits. */
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

/* From now on, all streams of the recorder record a sample. Sample points have random distances
 * of `interval` bytes on average, determined by `seed`; an allocation is recorded if it
 * contains one. 0 records everything, which is the default. To be called before the first
 * change. */
WARPO_RECORDER_API void warpo_heap_sample(warpo_sample_stream *stream, uint64_t interval,
                                          uint64_t seed);

/* Whether to record a change; may turn it into another kind of change. Call it once for each
 * change, before collecting its stack. Changes of recorded objects are always recorded. */
WARPO_RECORDER_API bool warpo_heap_chooses(warpo_sample_stream *stream, warpo_heap_change *change);

/* The number of the stack that `frame` forms within the stack numbered `around`; 0 is the
 * empty stack. If the record has no room for it, returns a number that stands for
 * `around`, as do all stacks within it. Numbers are valid for one process and the stream's
 * lifetime. */
WARPO_RECORDER_API uint64_t warpo_heap_stack(warpo_sample_stream *stream, uint64_t around,
                                             const warpo_sample_frame *frame);

/* Records a change, accepted by warpo_heap_chooses, as happening now. Embedders pass on calls as
 * reported; those that fail or request nothing are handled here (docs/record-format.md). */
WARPO_RECORDER_API void warpo_heap_changed(warpo_sample_stream *stream, uint64_t stack,
                                           const warpo_heap_change *change);

/* How many recorded changes have a stack that was cut for lack of room. */
WARPO_RECORDER_API uint64_t warpo_heap_cut_stacks(warpo_sample_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
