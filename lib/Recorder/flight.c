/* SPDX-License-Identifier: Apache-2.0 */
/* The flight recorder: writes the contents of all streams' rings at any moment, using only
 * functions that are safe in a signal handler.
 *
 * While a dump runs, no ring gives up a chunk, so what the dump reads stays. The dump waits for a
 * stream that is giving one up, but not for long: that stream's thread may be the one whose handler
 * runs the dump. */
#define _POSIX_C_SOURCE 200809L /* ftruncate */
#include "event_output.h"
#include "files.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum { patience = 1 << 20 };

/* Returns the number of the chunk in use and sets *end to the end of its events, NULL if no chunk
 * has begun. */
static uint64_t find_end(warpo_stream_full *stream, char **end) {
  while (true) {
    uint64_t filled = atomic_load_explicit(&stream->filled, memory_order_acquire);
    char *next = warpo_stream_next(stream);
    if (atomic_load_explicit(&stream->filled, memory_order_acquire) != filled)
      continue;
    char *begin = warpo_chunk_begin(stream, filled);
    *end = next > begin && next <= begin + stream->chunk_bytes ? next : NULL;
    return filled;
  }
}

static uint64_t count_of(const warpo_loss *loss) {
  return atomic_load_explicit(&loss->count, memory_order_relaxed);
}

uint64_t warpo_ring_count(warpo_stream_full *stream) {
  if (!stream->buffer) /* of before a fork, and not used since */
    return 0;
  char *end;
  uint64_t filled = find_end(stream, &end);
  size_t bytes = end ? (size_t)(end - warpo_chunk_begin(stream, filled)) : 0;
  for (uint64_t number = stream->drained; number < filled; ++number)
    bytes += (size_t)(warpo_stream_chunk(stream, number)->end - warpo_chunk_begin(stream, number));
  return bytes / stream->entry_size;
}

static void put_loss(warpo_event_output *to, const warpo_loss *loss, uint64_t count,
                     warpo_loss_cause cause) {
  warpo_output_put_loss(to, atomic_load_explicit(&loss->since, memory_order_relaxed), count, cause);
}

static void put_chunk(warpo_event_output *to, warpo_stream_full *stream, uint64_t number,
                      const char *end) {
  const warpo_chunk_head *head = &warpo_stream_chunk(stream, number)->head;
  warpo_output_put_entries(to, stream->form, head->base, warpo_chunk_begin(stream, number), end);
}

/* Writes all chunks, with the losses between them and before the first. Returns the losses before
 * the last of their events. */
static uint64_t put_chunks(warpo_event_output *to, warpo_stream_full *stream) {
  uint64_t oldest = atomic_load_explicit(&stream->drained, memory_order_acquire);
  char *end;
  uint64_t filled = find_end(stream, &end);
  uint64_t last = end ? filled + 1 : filled;
  if (oldest == last)
    return 0;
  const warpo_chunk_head *head = &warpo_stream_chunk(stream, oldest)->head;
  warpo_output_put_loss(to, head->base + 1, head->events_before + head->lost_before,
                        warpo_loss_buffer_full);
  for (uint64_t number = oldest; number < last; ++number) {
    const warpo_chunk *chunk = warpo_stream_chunk(stream, number);
    head = &chunk->head;
    if (number != oldest)
      warpo_output_put_loss(to, head->lost_since, head->lost, warpo_loss_buffer_full);
    put_chunk(to, stream, number, number == filled ? end : chunk->end);
  }
  return head->lost_before;
}

static void put_stream(warpo_event_output *to, warpo_stream_full *stream) {
  for (int i = 0; i < patience && atomic_load(&stream->turning); ++i)
    ;
  const warpo_losses *losses = stream->losses;
  uint64_t limit = count_of(&losses->to_limit), failure = count_of(&losses->to_failure);
  if (warpo_ring_count(stream) == 0 && count_of(&losses->to_buffer) + limit + failure == 0)
    return;
  const warpo_stream_fields fields = warpo_stream_fields_of(stream);
  warpo_output_begin_stream(to, &fields, stream->measure, /*complete=*/true);
  uint64_t written = stream->buffer ? put_chunks(to, stream) : 0;
  put_loss(to, &losses->to_buffer, count_of(&losses->to_buffer) - written, warpo_loss_buffer_full);
  put_loss(to, &losses->to_limit, limit, warpo_loss_limit);
  put_loss(to, &losses->to_failure, failure, warpo_loss_write_failed);
  warpo_output_end_stream(to);
}

static void put_start(warpo_event_output *to, const warpo_clock_info *clock) {
  uint8_t start[warpo_start_size];
  warpo_output_put(to, start, warpo_clock_put_start(clock, start));
}

static void put_streams(warpo_event_output *to, warpo_recorder *recorder) {
  for (warpo_stream_full *stream = recorder->streams.first; stream; stream = stream->following)
    put_stream(to, stream);
  warpo_output_end(to, 0, atomic_load_explicit(&recorder->gone, memory_order_relaxed));
}

static void put_record(warpo_event_output *to, warpo_recorder *recorder) {
  warpo_clock_info clock = recorder->clock;
  warpo_clock_measure_rate(&clock);
  put_start(to, &clock);
  /* Without the record's start, losses could not be recorded either, so it is worth a second
   * attempt. */
  if (to->error && warpo_output_cut(to, 0))
    put_start(to, &clock);
  to->tail = warpo_tail_at(to->whole);
  for (const warpo_declaration *made = recorder->declarations; made; made = made->following)
    warpo_output_put(to, made->block, made->size);
  put_streams(to, recorder);
}

/* ---- The recorder's own file ---- */

/* Whether the file already has everything that precedes streams. A crash-safe recorder writes it at
 * once, because recovery needs it. */
static bool has_start(const warpo_recorder *recorder) {
  return recorder->live.header && !recorder->sink.broken;
}

/* Removes an earlier dump from the file. */
static int take_dump_away(warpo_recorder *recorder) {
  const warpo_sink *sink = &recorder->sink;
  if (sink->fd < 0)
    return EBADF;
  if (!recorder->has_dump && !sink->broken)
    return 0;
  if (!sink->regular)
    return ESPIPE;
  off_t size = has_start(recorder) ? (off_t)sink->size : 0;
  if (ftruncate(sink->fd, size) != 0 || lseek(sink->fd, size, SEEK_SET) < 0)
    return errno;
  recorder->has_dump = false;
  return 0;
}

void warpo_ring_begin_write(warpo_recorder *recorder) {
  while (atomic_exchange(&recorder->streams.dumping, true))
    poll(NULL, 0, 1);
  (void)take_dump_away(recorder);
}

void warpo_ring_end_write(warpo_recorder *recorder) {
  atomic_store(&recorder->streams.dumping, false);
}

static void correct_start(const warpo_recorder *recorder) {
  warpo_clock_info clock = recorder->clock;
  warpo_clock_measure_rate(&clock);
  uint8_t start[warpo_start_size];
  size_t size = warpo_clock_put_start(&clock, start);
  /* A failure is harmless: the start is already there, with an older rate. */
  (void)!pwrite(recorder->sink.fd, start, size, 0);
}

static int dump_here(warpo_recorder *recorder, bool *has_begun) {
  warpo_sink *sink = &recorder->sink;
  int error = take_dump_away(recorder);
  if (error)
    return error;
  *has_begun = recorder->has_dump = true;
  warpo_event_output to = {.fd = sink->fd,
                           .can_cut = sink->regular,
                           .start = has_start(recorder) ? sink->size : 0,
                           .encoder = &recorder->dump_encoder};
  if (has_start(recorder)) {
    correct_start(recorder);
    put_streams(&to, recorder);
  } else {
    put_record(&to, recorder);
  }
  recorder->dump = (warpo_dump_sum){to.events, to.missed, to.encoder->meaningless};
  return to.error;
}

static int dump_there(warpo_recorder *recorder, int fd) {
  warpo_event_output to = {.fd = fd, .encoder = &recorder->dump_encoder};
  put_record(&to, recorder);
  return to.error;
}

int warpo_ring_dump(warpo_recorder *recorder, int fd, bool *has_begun) {
  *has_begun = false;
  if (!recorder->dump_encoder.block)
    return ENOMEM;
  if (atomic_exchange(&recorder->streams.dumping, true))
    return EBUSY;
  recorder->dump_encoder.meaningless = 0;
  int error = fd < 0 ? dump_here(recorder, has_begun) : dump_there(recorder, fd);
  atomic_store(&recorder->streams.dumping, false);
  return error;
}

int warpo_recorder_dump(warpo_recorder *recorder, int fd) {
  if (!recorder)
    return 0;
  if (recorder->options.policy != WARPO_POLICY_RING)
    return EINVAL;
  int before = errno;
  bool has_begun;
  int error = warpo_ring_dump(recorder, fd, &has_begun);
  errno = before;
  return error;
}
