/* The flight recorder: writes what the rings of all streams hold, at any moment, with nothing but
 * calls that are safe in a signal handler.
 *
 * While a dump runs no ring turns, so the chunks that it reads stay. A stream that is just turning
 * is waited for, but not for long: it may be the very thread whose handler runs here. */
#define _POSIX_C_SOURCE 200809L /* ftruncate */
#include "event_output.h"

#include <errno.h>
#include <unistd.h>

enum { patience = 1 << 20 };

/* The chunk in use, if any, up to *end. */
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

static uint64_t count_of(const warpo_loss *loss) {
  return atomic_load_explicit(&loss->count, memory_order_relaxed);
}

static void put_loss(warpo_event_output *to, const warpo_loss *loss, warpo_loss_cause cause) {
  warpo_output_put_loss(to, atomic_load_explicit(&loss->since, memory_order_relaxed),
                        count_of(loss), cause);
}

static void put_chunk(warpo_event_output *to, warpo_stream_full *stream, uint64_t number,
                      const char *end) {
  const warpo_chunk *chunk = warpo_stream_chunk(stream, number);
  warpo_output_put_loss(to, chunk->lost_since, chunk->lost, warpo_loss_buffer_full);
  warpo_output_put_entries(to, stream, chunk->base, warpo_chunk_begin(stream, number), end);
}

static void put_stream(warpo_event_output *to, warpo_stream_full *stream) {
  if (!stream->buffer) /* of before a fork, and not used since */
    return;
  for (int i = 0; i < patience && atomic_load(&stream->turning); ++i)
    ;
  uint64_t oldest = atomic_load_explicit(&stream->drained, memory_order_acquire);
  uint64_t overwritten = atomic_load_explicit(&stream->overwritten, memory_order_relaxed);
  char *end;
  uint64_t filled = find_end(stream, &end);
  if (oldest == filled && !end && count_of(&stream->dropped) == 0 &&
      count_of(&stream->lost_to_limit) == 0)
    return;
  warpo_output_begin_stream(to, stream, /*complete=*/true);
  warpo_output_put_loss(to, warpo_stream_chunk(stream, oldest)->base, overwritten,
                        warpo_loss_buffer_full);
  for (uint64_t number = oldest; number < filled; ++number)
    put_chunk(to, stream, number, warpo_stream_chunk(stream, number)->end);
  if (end)
    put_chunk(to, stream, filled, end);
  put_loss(to, &stream->dropped, warpo_loss_buffer_full);
  put_loss(to, &stream->lost_to_limit, warpo_loss_limit);
  warpo_output_end_stream(to);
}

static void put_record(warpo_event_output *to, warpo_recorder *recorder) {
  warpo_clock_info clock = recorder->clock;
  warpo_clock_measure_rate(&clock);
  uint8_t block[warpo_clock_block_size];
  size_t size = warpo_clock_put_block(&clock, warpo_clock_time, block);
  warpo_output_put(to, WARPO_SIGNATURE, warpo_signature_size);
  warpo_output_put(to, block, size);
  for (const warpo_declaration *made = recorder->declarations; made; made = made->following)
    warpo_output_put(to, made->block, made->size);
  for (warpo_stream_full *stream = recorder->streams; stream; stream = stream->following)
    put_stream(to, stream);
  warpo_output_end(to, 0);
}

/* Makes the recorder's own file empty, if it can be. */
static int begin_own_file(const warpo_recorder *recorder) {
  const warpo_sink *sink = &recorder->sink;
  if (sink->fd < 0)
    return EBADF;
  if (!sink->regular)
    return recorder->has_dump ? ESPIPE : 0;
  return lseek(sink->fd, 0, SEEK_SET) < 0 || ftruncate(sink->fd, 0) != 0 ? errno : 0;
}

int warpo_recorder_dump(warpo_recorder *recorder, int fd) {
  if (!recorder)
    return 0;
  if (recorder->options.policy != WARPO_POLICY_RING)
    return EINVAL;
  if (atomic_exchange(&recorder->dumping, true))
    return EBUSY;
  int before = errno;
  warpo_event_output to = {.fd = fd < 0 ? recorder->sink.fd : fd,
                           .encoder = &recorder->dump_encoder};
  if (fd < 0)
    to.error = begin_own_file(recorder);
  if (!to.error)
    put_record(&to, recorder);
  if (fd < 0) {
    recorder->has_dump = true;
    recorder->dumped = to.error ? 0 : to.events;
  }
  atomic_store(&recorder->dumping, false);
  errno = before;
  return to.error;
}
