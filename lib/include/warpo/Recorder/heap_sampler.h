/* SPDX-License-Identifier: Apache-2.0 */
/* Which heap events a sampled record has: allocations by their bytes, and what becomes of those
 * that were chosen.
 *
 * Points lie on all bytes that are allocated, with gaps of an exponential distribution: an object
 * is chosen if it has one. Readers know how likely that was, and so how many objects it stands for.
 * The same seed chooses the same objects of the same program, in every recorder.
 */
#ifndef WARPO_RECORDER_HEAP_SAMPLER_H
#define WARPO_RECORDER_HEAP_SAMPLER_H

#include "warpo/Recorder/record_blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct warpo_chosen_object {
  uint64_t address;
  uint64_t memory; /* its number plus 1; 0: the place is empty */
} warpo_chosen_object;

typedef struct warpo_heap_sampler {
  uint64_t interval; /* in bytes, the mean gap; 0: everything is recorded */
  uint64_t random;
  double left; /* bytes up to the next point */
  /* Those that have been chosen and not freed: open addressing, `capacity` is a power of two. */
  warpo_chosen_object *objects;
  size_t capacity, count;
} warpo_heap_sampler;

void warpo_heap_sampler_init(warpo_heap_sampler *sampler, uint64_t interval, uint64_t seed);
void warpo_heap_sampler_free(warpo_heap_sampler *sampler);

/* The bytes from any place to the next point, for what counts them by itself. */
double warpo_heap_sampler_gap(warpo_heap_sampler *sampler);

/* Whether the event is to be recorded; perhaps it becomes another operation for that. With
 * `others_free`, threads that this sampler does not see may have chosen the object that is freed or
 * reallocated: all frees are recorded. */
bool warpo_heap_sampler_takes(warpo_heap_sampler *sampler, warpo_heap_event *event,
                              bool others_free);

#ifdef __cplusplus
}
#endif

#endif
