/* From chunks to the file: what has been handed over, and what a chunk in use holds so far. */
#include "internal.h"

/* Reads a chunk from where it was read up to last time. */
static void take(warpo_stream_full *stream, uint64_t number, char *end) {
  const warpo_chunk *chunk = warpo_stream_chunk(stream, number);
  bool is_first = !stream->taken;
  const char *begin = is_first ? warpo_chunk_begin(stream, number) : stream->taken;
  if (stream->recorder->options.format == WARPO_FORMAT_WARP) {
    warpo_warp_write(stream, begin, end);
  } else {
    if (is_first && chunk->lost != 0)
      warpo_file_write_lost(stream, chunk->lost_since, chunk->lost, warpo_loss_buffer_full);
    warpo_file_write(stream, chunk, begin, end);
  }
  stream->taken = end;
}

/* What leaves the mapped buffer has to be in the file. */
static void finish_live(warpo_stream_full *stream) {
  if (!stream->live)
    return;
  warpo_file_finish_block(stream);
  warpo_live_commit(stream);
}

void warpo_drain(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  uint64_t filled = atomic_load_explicit(&stream->filled, memory_order_acquire);
  uint64_t number = atomic_load_explicit(&stream->drained, memory_order_relaxed);
  for (; number < filled; ++number) {
    warpo_live_intend(stream, number + 1, 0);
    take(stream, number, warpo_stream_chunk(stream, number)->end);
    stream->taken = NULL;
    finish_live(stream);
    pthread_mutex_lock(&recorder->state_lock);
    atomic_store_explicit(&stream->drained, number + 1, memory_order_release);
    pthread_cond_broadcast(&recorder->space);
    pthread_mutex_unlock(&recorder->state_lock);
  }
}

void warpo_drain_all(warpo_stream_full *stream) {
  if (!stream->buffer) /* of before a fork, and not used since */
    return;
  while (true) {
    warpo_drain(stream);
    uint64_t number = atomic_load_explicit(&stream->drained, memory_order_relaxed);
    char *next = warpo_stream_next(stream);
    if (atomic_load_explicit(&stream->filled, memory_order_acquire) != number)
      continue;
    /* `next` may still be that of the chunk before. */
    char *begin = warpo_chunk_begin(stream, number);
    if (next > begin && next <= begin + stream->chunk_bytes) {
      warpo_live_intend(stream, number, (size_t)(next - begin));
      take(stream, number, next);
      finish_live(stream);
    }
    return;
  }
}
