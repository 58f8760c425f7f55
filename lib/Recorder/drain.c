/* SPDX-License-Identifier: Apache-2.0 */
/* Drains streams: passes full chunks, and the filled part of a current chunk, to the file. */
#include "streams.h"

/* Passes on a chunk from where the last drain stopped. */
static void give(warpo_stream_full *stream, uint64_t number, char *end, bool is_whole) {
  const warpo_chunk *chunk = warpo_stream_chunk(stream, number);
  char *start = warpo_chunk_begin(stream, number);
  bool is_first = !stream->taken;
  const char *begin = is_first ? start : stream->taken;
  stream->taken = is_whole ? NULL : end;
  stream->shared->calls->take(stream, chunk, is_first, begin, end, is_whole ? number + 1 : number,
                              is_whole ? 0 : (size_t)(end - start));
}

void warpo_drain(warpo_stream_full *stream) {
  warpo_streams *streams = stream->shared;
  uint64_t filled = atomic_load_explicit(&stream->filled, memory_order_acquire);
  uint64_t number = atomic_load_explicit(&stream->drained, memory_order_relaxed);
  for (; number < filled; ++number) {
    give(stream, number, warpo_stream_chunk(stream, number)->end, /*is_whole=*/true);
    pthread_mutex_lock(&streams->state_lock);
    atomic_store_explicit(&stream->drained, number + 1, memory_order_release);
    pthread_cond_broadcast(&streams->space);
    pthread_mutex_unlock(&streams->state_lock);
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
    /* `next` may still point into the previous chunk. */
    char *begin = warpo_chunk_begin(stream, number);
    if (next > begin && next <= begin + stream->chunk_bytes)
      give(stream, number, next, /*is_whole=*/false);
    return;
  }
}
