/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of a record: its rate, its start, and the cost of reading it and storing an event. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "clock.h"
#include "warpo/Recorder/event_stream.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
  batch_events = 256,
  batches = 32,
  estimate_nanoseconds = 1000000, /* how long the first estimate of the rate takes */
};

static uint64_t nanoseconds_of(clockid_t id) {
  struct timespec now;
  clock_gettime(id, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t warpo_clock_now(warpo_recorder_clock kind) {
  switch (kind) {
  case WARPO_CLOCK_COUNTER:
    break;
  case WARPO_CLOCK_MONOTONIC:
    return nanoseconds_of(CLOCK_MONOTONIC);
  case WARPO_CLOCK_FUEL:
    return 0;
  }
  return warpo_clock();
}

/* Reads both clocks together. Of several tries takes the closest pair, since the thread may be
 * preempted between reads. */
static void read_pair(uint64_t *counts, uint64_t *nanoseconds) {
  uint64_t closest = UINT64_MAX;
  for (int i = 0; i < 5; ++i) {
    uint64_t before = warpo_clock();
    uint64_t time = nanoseconds_of(CLOCK_MONOTONIC);
    uint64_t took = warpo_clock() - before;
    if (took >= closest)
      continue;
    closest = took;
    *counts = before + took / 2;
    *nanoseconds = time;
  }
}

/* The minimum of several batches: anything else that the machine does only adds time. Begins and
 * ends cost the same. */
static uint64_t cost_of_event(warpo_recorder_clock kind) {
  uint64_t room[batch_events];
  uint64_t least = UINT64_MAX;
  for (int batch = 0; batch < batches; ++batch) {
    warpo_event_stream stream = {room, room + batch_events, warpo_clock(), 0};
    uint64_t start = warpo_clock_now(kind);
    for (int32_t i = 0; i < batch_events; ++i)
      if (kind == WARPO_CLOCK_COUNTER)
        warpo_trace_event(&stream, i & 1 ? -1 : 1);
      else
        warpo_trace_event_at(&stream, stream.base + (uint32_t)warpo_clock_now(kind) % 2, 1);
    uint64_t took = warpo_clock_now(kind) - start;
    least = took < least ? took : least;
  }
  return least * 1024 / batch_events;
}

void warpo_clock_start(warpo_clock_info *clock, warpo_recorder_clock kind, const char *fuel) {
  memset(clock, 0, sizeof(*clock));
  clock->kind = kind;
  if (kind == WARPO_CLOCK_FUEL) {
    snprintf(clock->name, sizeof(clock->name), "%s", fuel);
    return;
  }
  clock->wall = nanoseconds_of(CLOCK_REALTIME);
  strcpy(clock->name, "time");
  read_pair(&clock->origin, &clock->origin_nanoseconds);
  if (kind == WARPO_CLOCK_MONOTONIC)
    clock->origin = clock->origin_nanoseconds;
  clock->begin = clock->end = cost_of_event(kind);
#if !defined(__aarch64__)
  while (kind == WARPO_CLOCK_COUNTER &&
         nanoseconds_of(CLOCK_MONOTONIC) - clock->origin_nanoseconds < estimate_nanoseconds)
    ;
#endif
  warpo_clock_measure_rate(clock);
}

void warpo_clock_measure_rate(warpo_clock_info *clock) {
  if (clock->kind == WARPO_CLOCK_FUEL)
    return;
  if (clock->kind == WARPO_CLOCK_MONOTONIC) {
    clock->nanoseconds = clock->counts = 1;
    return;
  }
#if defined(__aarch64__)
  /* The processor reports the rate. */
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(clock->counts));
  clock->nanoseconds = clock->counts ? 1000000000 : 0;
#else
  uint64_t counts = 0, nanoseconds = 0;
  read_pair(&counts, &nanoseconds);
  /* A counter that stands still or goes backwards has no rate. */
  bool runs = counts > clock->origin && nanoseconds > clock->origin_nanoseconds;
  clock->counts = runs ? counts - clock->origin : 0;
  clock->nanoseconds = runs ? nanoseconds - clock->origin_nanoseconds : 0;
#endif
}

size_t warpo_clock_put_block(const warpo_clock_info *clock, uint64_t number, uint8_t *bytes) {
  const warpo_clock_fields fields = {
      number,      clock->nanoseconds, clock->counts, clock->origin,
      clock->wall, clock->begin,       clock->end,
  };
  warpo_block block = warpo_block_in(bytes, warpo_clock_block_size);
  warpo_begin_clock(&block, &fields, warpo_text_from(clock->name));
  return warpo_finish_block(&block);
}

size_t warpo_clock_put_measure_block(uint64_t number, const char *name, uint8_t *bytes) {
  const warpo_clock_fields fields = {.number = number};
  warpo_block block = warpo_block_in(bytes, warpo_clock_block_size);
  warpo_begin_clock(&block, &fields, warpo_text_from(name));
  return warpo_finish_block(&block);
}

size_t warpo_clock_put_start(const warpo_clock_info *clock, uint8_t start[warpo_start_size]) {
  memcpy(start, clock->has_stacks ? WARPO_STACK_SIGNATURE : WARPO_SIGNATURE, warpo_signature_size);
  return warpo_signature_size +
         warpo_clock_put_block(clock, warpo_clock_time, start + warpo_signature_size);
}
