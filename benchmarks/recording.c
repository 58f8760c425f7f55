/* SPDX-License-Identifier: Apache-2.0 */
/* What recording costs, for benchmarks/recording.py.
 *
 *   recording point EVENTS        prints nanoseconds of CPU time an event: of the counter read and
 *                                 stored, and of the trace point with each policy, to /dev/null,
 *                                 and while recording is switched off
 *   recording sustain EVENTS OUT  records so many events with the policy `block`; prints the
 * counts, and seconds recording repack IN OUT       records in the format warpo what IN, a record
 * of the format warp with less than 2^32 counts, holds
 */
#define _POSIX_C_SOURCE 200809L
#include "warpo/Recorder/event_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ring_events = 8192, rounds = 5 };

static uint64_t ring[ring_events];

static double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The least that a clocked event can cost: the counter, and 8 bytes into a ring. */
static double bare(uint64_t events) {
  double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  for (uint64_t i = 0; i < events; ++i) {
    __atomic_store_n(&ring[i % ring_events], warpo_clock(), __ATOMIC_RELAXED);
  }
  return seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
}

static double trace(warpo_event_stream *stream, uint64_t events) {
  double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  for (uint64_t i = 0; i < events; i += 2) {
    warpo_trace_event(stream, 0x1000005);
    warpo_trace_event(stream, -0x1000005);
  }
  return seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
}

static warpo_recorder *open_recorder(const char *file, warpo_recorder_policy policy) {
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.file = file;
  options.format = WARPO_FORMAT_WARPO;
  options.policy = policy;
  return warpo_recorder_open(&options);
}

static double least(double a, double b) { return a < b ? a : b; }

static int measure_point(uint64_t events) {
  double without = 1e9, off = 1e9, with[3] = {1e9, 1e9, 1e9};
  for (int round = 0; round < rounds; ++round)
    for (int policy = WARPO_POLICY_BLOCK; policy <= WARPO_POLICY_RING; ++policy) {
      warpo_recorder *recorder = open_recorder("/dev/null", (warpo_recorder_policy)policy);
      warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
      without = least(without, bare(events));
      with[policy] = least(with[policy], trace(stream, events));
      warpo_recorder_set_enabled(recorder, 0);
      off = least(off, trace(stream, events));
      warpo_recorder_free(recorder);
    }
  double scale = 1e9 / (double)events;
  printf("{\"bare\": %.3f, \"block\": %.3f, \"drop\": %.3f, \"ring\": %.3f, \"off\": %.3f}\n",
         without * scale, with[0] * scale, with[1] * scale, with[2] * scale, off * scale);
  return 0;
}

static int sustain(uint64_t events, const char *file) {
  warpo_recorder *recorder = open_recorder(file, WARPO_POLICY_BLOCK);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 1);
  double start = seconds_of(CLOCK_MONOTONIC);
  trace(stream, events);
  warpo_recorder_close(recorder);
  double took = seconds_of(CLOCK_MONOTONIC) - start;
  warpo_recorder_counts counts = warpo_recorder_get_counts(recorder);
  printf("{\"written\": %" PRIu64 ", \"lost\": %" PRIu64 ", \"seconds\": %.2f}\n", counts.written,
         counts.lost_to_buffer + counts.lost_to_failure + counts.lost_to_limit, took);
  int error = warpo_recorder_error(recorder);
  warpo_recorder_free(recorder);
  return error != 0;
}

static int repack(const char *from, const char *to) {
  FILE *in = fopen(from, "rb");
  if (!in || fseek(in, 16, SEEK_SET) != 0) {
    perror(from);
    return 1;
  }
  warpo_recorder *recorder = open_recorder(to, WARPO_POLICY_BLOCK);
  warpo_event_stream *stream = NULL;
  warpo_record records[4096];
  uint64_t time = 0;
  for (size_t count; (count = fread(records, sizeof(*records), 4096, in)) > 0;)
    for (size_t i = 0; i < count; ++i) {
      if (!stream)
        stream = warpo_event_stream_open(recorder, records[i].module);
      time += (uint32_t)(records[i].time - (uint32_t)time);
      warpo_trace_event_at(stream, time, records[i].id);
    }
  fclose(in);
  warpo_recorder_close(recorder);
  int error = warpo_recorder_error(recorder);
  warpo_recorder_free(recorder);
  return error != 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "point") == 0)
    return measure_point(strtoull(argv[2], NULL, 10));
  if (argc == 4 && strcmp(argv[1], "sustain") == 0)
    return sustain(strtoull(argv[2], NULL, 10), argv[3]);
  if (argc == 4 && strcmp(argv[1], "repack") == 0)
    return repack(argv[2], argv[3]);
  fprintf(stderr, "usage: recording point EVENTS | sustain EVENTS OUT | repack IN OUT\n");
  return 2;
}
