/* SPDX-License-Identifier: Apache-2.0 */
/* Samples heap events: chooses allocations by their bytes, and all later events of the chosen
 * objects.
 *
 * Sample points lie at random, exponentially distributed distances in all bytes allocated; an
 * object that contains one is chosen. Readers know the probability of that, and so how many objects
 * a chosen one represents. In every recorder the same seed chooses the same objects of the same
 * program. */
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
  /* Chosen objects that have not been freed, with open addressing; `capacity` is a power of two. */
  warpo_chosen_object *objects;
  size_t capacity, count;
} warpo_heap_sampler;

void warpo_heap_sampler_init(warpo_heap_sampler *sampler, uint64_t interval, uint64_t seed);
void warpo_heap_sampler_free(warpo_heap_sampler *sampler);

/* The bytes from here to the next point, for callers that count bytes themselves. */
double warpo_heap_sampler_gap(warpo_heap_sampler *sampler);

/* Whether to record the event; may change its operation. With `others_free`, threads that this
 * sampler does not see may have chosen the object that is freed or reallocated, so all frees are
 * recorded. */
bool warpo_heap_sampler_takes(warpo_heap_sampler *sampler, warpo_heap_event *event,
                              bool others_free);

#ifdef __cplusplus
}
#endif

#endif
