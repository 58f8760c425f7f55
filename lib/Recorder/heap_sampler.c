/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling of heap events. Runs in WebAssembly too. */
#include "warpo/Recorder/heap_sampler.h"

#include <stdlib.h>

enum { first_capacity = 64 };

/* ---- Gaps ---- */

/* SplitMix64. */
static uint64_t next_random(warpo_heap_sampler *sampler) {
  uint64_t z = sampler->random += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* The natural logarithm of a number of at least 1. There is no library for it in WebAssembly, and
 * all recorders have to find the same. */
static double logarithm(uint64_t number) {
  const double ln2 = 0.693147180559945309417;
  int exponent = 63 - __builtin_clzll(number);
  double mantissa = (double)number / (double)((uint64_t)1 << exponent);
  double s = (mantissa - 1) / (mantissa + 1), square = s * s, sum = 0;
  for (int term = 25; term > 0; term -= 2)
    sum = sum * square + 1.0 / term;
  return exponent * ln2 + 2 * s * sum;
}

double warpo_heap_sampler_gap(warpo_heap_sampler *sampler) {
  const int bits = 53;
  uint64_t number = (next_random(sampler) >> (64 - bits)) + 1; /* of 2^53 */
  return (double)sampler->interval * (logarithm((uint64_t)1 << bits) - logarithm(number));
}

/* Points that lie in the same object choose it once, and those behind it are as far away as from
 * any byte: a new gap begins there. An object without bytes is one of one byte, as for readers. */
static bool is_chosen(warpo_heap_sampler *sampler, uint64_t size) {
  sampler->left -= size == 0 ? 1 : (double)size;
  if (sampler->left > 0)
    return false;
  sampler->left = warpo_heap_sampler_gap(sampler);
  return true;
}

/* ---- Objects ---- */

static size_t place_of(const warpo_heap_sampler *sampler, uint64_t address, uint64_t memory) {
  uint64_t hash = (address ^ memory << 48) * 0x9e3779b97f4a7c15u;
  return (size_t)(hash >> 32) & (sampler->capacity - 1);
}

/* Where the object stands, or the empty place for it. */
static warpo_chosen_object *find(const warpo_heap_sampler *sampler, uint64_t address,
                                 uint64_t memory) {
  size_t at = place_of(sampler, address, memory);
  for (;; at = (at + 1) & (sampler->capacity - 1)) {
    warpo_chosen_object *object = &sampler->objects[at];
    if (object->memory == 0 || (object->address == address && object->memory == memory))
      return object;
  }
}

static bool grow(warpo_heap_sampler *sampler) {
  warpo_heap_sampler larger = *sampler;
  larger.capacity = sampler->capacity == 0 ? first_capacity : 2 * sampler->capacity;
  larger.objects = malloc(larger.capacity * sizeof(*larger.objects));
  if (!larger.objects)
    return false;
  for (size_t i = 0; i < larger.capacity; ++i)
    larger.objects[i].memory = 0;
  for (size_t i = 0; i < sampler->capacity; ++i)
    if (sampler->objects[i].memory != 0)
      *find(&larger, sampler->objects[i].address, sampler->objects[i].memory) = sampler->objects[i];
  free(sampler->objects);
  *sampler = larger;
  return true;
}

/* False without memory: whose free would not be known may not be chosen. */
static bool keep(warpo_heap_sampler *sampler, uint64_t address, uint64_t memory) {
  if (4 * sampler->count >= 3 * sampler->capacity && !grow(sampler))
    return false;
  warpo_chosen_object *object = find(sampler, address, memory);
  sampler->count += object->memory == 0;
  *object = (warpo_chosen_object){address, memory};
  return true;
}

/* Whether there was such an object. Those behind it that its place has moved on move back. */
static bool forget(warpo_heap_sampler *sampler, uint64_t address, uint64_t memory) {
  if (sampler->count == 0)
    return false;
  size_t mask = sampler->capacity - 1;
  warpo_chosen_object *found = find(sampler, address, memory);
  if (found->memory == 0)
    return false;
  size_t hole = (size_t)(found - sampler->objects);
  for (size_t at = (hole + 1) & mask; sampler->objects[at].memory != 0; at = (at + 1) & mask) {
    warpo_chosen_object *object = &sampler->objects[at];
    size_t own = place_of(sampler, object->address, object->memory);
    if (((at - own) & mask) < ((at - hole) & mask))
      continue;
    sampler->objects[hole] = *object;
    hole = at;
  }
  sampler->objects[hole].memory = 0;
  --sampler->count;
  return true;
}

/* ---- Events ---- */

void warpo_heap_sampler_init(warpo_heap_sampler *sampler, uint64_t interval, uint64_t seed) {
  *sampler = (warpo_heap_sampler){.interval = interval, .random = seed};
  sampler->left = warpo_heap_sampler_gap(sampler);
}

void warpo_heap_sampler_free(warpo_heap_sampler *sampler) {
  free(sampler->objects);
  sampler->objects = NULL;
  sampler->capacity = sampler->count = 0;
}

static bool takes_new(warpo_heap_sampler *sampler, const warpo_heap_event *event, uint64_t memory) {
  return is_chosen(sampler, event->size) &&
         (event->address == 0 || keep(sampler, event->address, memory));
}

/* A failed call leaves the block as it was, and is recorded if the block was sampled. */
static bool takes_moved(warpo_heap_sampler *sampler, warpo_heap_event *event, uint64_t memory,
                        bool others_free) {
  bool fails = event->address == 0;
  bool was_chosen = !fails && (forget(sampler, event->old, memory) || others_free);
  bool is_taken = takes_new(sampler, event, memory);
  if (is_taken && !was_chosen)
    event->operation = warpo_heap_allocate;
  if (!is_taken && was_chosen) {
    event->operation = warpo_heap_free;
    event->address = event->old;
  }
  return is_taken || was_chosen;
}

bool warpo_heap_sampler_takes(warpo_heap_sampler *sampler, warpo_heap_event *event,
                              bool others_free) {
  if (sampler->interval == 0)
    return true;
  uint64_t memory = event->memory + 1;
  switch (event->operation) {
  case warpo_heap_allocate:
    return takes_new(sampler, event, memory);
  case warpo_heap_free:
    return forget(sampler, event->address, memory) || others_free;
  case warpo_heap_reallocate:
    return takes_moved(sampler, event, memory, others_free);
  default:
    return true;
  }
}
