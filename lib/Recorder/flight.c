/* The flight recorder: writes what the rings of all streams hold, at any moment, with nothing but
 * calls that are safe in a signal handler.
 *
 * While a dump runs no ring turns, so the chunks that it reads stay. A stream that is just turning
 * is waited for, but not for long: it may be the very thread whose handler runs here. */
#define _POSIX_C_SOURCE 200809L /* ftruncate */
#include "internal.h"

#include <errno.h>
#include <unistd.h>

enum { patience = 1 << 20 };

typedef struct dump {
  warpo_recorder *recorder;
  int fd;
  int error;
  uint64_t size;
  uint64_t events;
  uint64_t lost;
} dump;

static void put(dump *to, const void *bytes, size_t size) {
  if (!to->error)
    to->error = warpo_write_all(to->fd, bytes, size, &to->size);
}

static void finish_block(dump *to) {
  warpo_event_encoder *encoder = &to->recorder->dump_encoder;
  to->events += encoder->events;
  put(to, encoder->block, warpo_encoder_finish(encoder));
  encoder->events = 0;
}

static void put_entries(dump *to, warpo_stream_full *stream, uint64_t number, const char *end,
                        uint64_t *last_read) {
  warpo_event_encoder *encoder = &to->recorder->dump_encoder;
  const warpo_chunk *chunk = warpo_stream_chunk(stream, number);
  const char *begin = warpo_chunk_begin(stream, number);
  while (begin != end) {
    begin = warpo_pack(stream, encoder, last_read, chunk->base, begin, end);
    if (warpo_encoder_is_full(encoder))
      finish_block(to);
  }
}

static void put_loss(dump *to, uint64_t since, uint64_t count, warpo_loss_cause cause) {
  warpo_event_encoder *encoder = &to->recorder->dump_encoder;
  if (count == 0)
    return;
  to->lost += count;
  warpo_pack_lost(encoder, since, count, cause);
  if (warpo_encoder_is_full(encoder))
    finish_block(to);
}

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

static void put_stream(dump *to, warpo_stream_full *stream) {
  if (!stream->buffer) /* of before a fork, and not used since */
    return;
  for (int i = 0; i < patience && atomic_load(&stream->turning); ++i)
    ;
  uint64_t oldest = atomic_load_explicit(&stream->drained, memory_order_acquire);
  uint64_t overwritten = atomic_load_explicit(&stream->overwritten, memory_order_relaxed);
  char *end;
  uint64_t filled = find_end(stream, &end);
  if (oldest == filled && !end)
    return;
  uint8_t declaration[warpo_stream_block_size];
  put(to, declaration, warpo_file_stream_block(stream, declaration));
  warpo_event_encoder *encoder = &to->recorder->dump_encoder;
  encoder->stream = stream->number;
  encoder->depth = encoder->floor = 0;
  encoder->last_time = 0;
  encoder->complete = true;
  encoder->next = NULL;
  uint64_t last_read = 0;
  put_loss(to, warpo_stream_chunk(stream, oldest)->base, overwritten, warpo_loss_buffer_full);
  for (uint64_t number = oldest; number < filled; ++number) {
    const warpo_chunk *chunk = warpo_stream_chunk(stream, number);
    put_loss(to, chunk->lost_since, chunk->lost, warpo_loss_buffer_full);
    put_entries(to, stream, number, chunk->end, &last_read);
  }
  if (end) {
    const warpo_chunk *chunk = warpo_stream_chunk(stream, filled);
    put_loss(to, chunk->lost_since, chunk->lost, warpo_loss_buffer_full);
    put_entries(to, stream, filled, end, &last_read);
  }
  put_loss(to, stream->lost_to_limit.since, stream->lost_to_limit.count, warpo_loss_limit);
  finish_block(to);
}

static void put_record(dump *to) {
  warpo_recorder *recorder = to->recorder;
  warpo_clock_info clock = recorder->clock;
  warpo_clock_measure_rate(&clock);
  uint8_t block[warpo_clock_block_size];
  warpo_clock_put_block(&clock, block);
  put(to, WARPO_SIGNATURE, warpo_signature_size);
  put(to, block, sizeof(block));
  for (const warpo_declaration *made = recorder->declarations; made; made = made->following)
    put(to, made->block, made->size);
  for (warpo_stream_full *stream = recorder->streams; stream; stream = stream->following)
    put_stream(to, stream);
  uint8_t end[warpo_block_header_size + 24];
  uint8_t *at = warpo_put_fixed(end + warpo_block_header_size, 0, 8);
  at = warpo_put_fixed(at, to->events, 8);
  warpo_put_fixed(at, to->lost, 8);
  warpo_frame_block(end, warpo_block_end, 0, sizeof(end) - warpo_block_header_size);
  put(to, end, sizeof(end));
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
  dump to = {.recorder = recorder, .fd = fd < 0 ? recorder->sink.fd : fd};
  if (fd < 0)
    to.error = begin_own_file(recorder);
  if (!to.error)
    put_record(&to);
  if (fd < 0) {
    recorder->has_dump = true;
    recorder->dumped = to.events;
  }
  atomic_store(&recorder->dumping, false);
  errno = before;
  return to.error;
}
