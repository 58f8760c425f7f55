/* Streams: the buffers that trace points fill, and what happens when one is full, old, or not
 * allowed to fill. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

static warpo_stream_full *full(warpo_stream *stream) { return (warpo_stream_full *)stream; }

/* One writer, so no atomic addition is needed. */
static void count_one(_Atomic uint64_t *counter) {
  atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
                        memory_order_relaxed);
}

void warpo_stream_drain(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  warpo_record *next = __atomic_load_n(&stream->head.next, __ATOMIC_ACQUIRE);
  size_t waiting = (size_t)(next - stream->written);
  if (waiting == 0)
    return;
  size_t written = warpo_sink_write(&recorder->sink, stream->written, waiting);
  recorder->counts.written += written;
  recorder->counts.lost_to_failure += waiting - written;
  stream->written = next;
  if (recorder->sink.broken)
    atomic_store_explicit(&recorder->failed, true, memory_order_relaxed);
}

/* Empties the stream, in its own thread, and writes what has waited for long in others, which may
 * be silent. */
static void empty(warpo_stream_full *stream, uint64_t now) {
  warpo_recorder *recorder = stream->recorder;
  pthread_mutex_lock(&recorder->lock);
  for (warpo_stream_full *other = recorder->streams; other; other = other->following)
    if (other != stream && (now - other->head.base) >> WARPO_WAIT_SHIFT)
      warpo_stream_drain(other);
  warpo_stream_drain(stream);
  stream->written = stream->buffer;
  stream->head.base = now;
  __atomic_store_n(&stream->head.next, stream->buffer, __ATOMIC_RELAXED);
  stream->head.end = stream->buffer; /* who may have the room is for warpo_stream_slow to say */
  pthread_mutex_unlock(&recorder->lock);
}

/* Takes one record from the limit of all streams. */
static bool take_one(warpo_recorder *recorder) {
  uint64_t room = atomic_load_explicit(&recorder->room, memory_order_relaxed);
  while (room != 0)
    if (atomic_compare_exchange_weak_explicit(&recorder->room, &room, room - 1,
                                              memory_order_relaxed, memory_order_relaxed))
      return true;
  return false;
}

warpo_record *warpo_stream_slow(warpo_stream *head, uint64_t now) {
  warpo_stream_full *stream = full(head);
  warpo_recorder *recorder = stream->recorder;
  if (stream->refused || atomic_load_explicit(&recorder->failed, memory_order_relaxed)) {
    count_one(&stream->lost_to_failure);
    head->end = head->next;
    return NULL;
  }
  /* With a limit the stream gets one record at a time, so that all streams together keep exactly
   * the first ones. */
  if (recorder->limited && !take_one(recorder)) {
    count_one(&stream->lost_to_limit);
    head->end = head->next;
    return NULL;
  }
  if (head->next == stream->buffer + stream->capacity || (now - head->base) >> WARPO_WAIT_SHIFT)
    empty(stream, now);
  head->end = recorder->limited ? head->next + 1 : stream->buffer + stream->capacity;
  return head->next;
}

warpo_stream *warpo_stream_open(warpo_recorder *recorder, uint64_t module) {
  if (!recorder)
    return NULL;
  warpo_stream_full *stream =
      malloc(sizeof(*stream) + recorder->stream_records * sizeof(warpo_record));
  pthread_mutex_lock(&recorder->lock);
  if (!stream) {
    warpo_sink_fail(&recorder->sink, "no memory for a stream", ENOMEM);
    pthread_mutex_unlock(&recorder->lock);
    return NULL;
  }
  *stream = (warpo_stream_full){
      .recorder = recorder, .written = stream->buffer, .capacity = recorder->stream_records};
  stream->head.module = module;
  stream->head.base = warpo_clock();
  stream->head.next = stream->head.end = stream->buffer;
  for (warpo_stream_full *other = recorder->streams; other; other = other->following)
    if (other->head.module == module && !other->refused)
      stream->refused = true;
  if (stream->refused)
    warpo_sink_fail(&recorder->sink, "a second stream of the same module at the same time", EBUSY);
  stream->following = recorder->streams;
  recorder->streams = stream;
  pthread_mutex_unlock(&recorder->lock);
  return &stream->head;
}

void warpo_stream_remove(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  warpo_stream_drain(stream);
  recorder->counts.lost_to_limit +=
      atomic_load_explicit(&stream->lost_to_limit, memory_order_relaxed);
  recorder->counts.lost_to_failure +=
      atomic_load_explicit(&stream->lost_to_failure, memory_order_relaxed);
  warpo_stream_full **link = &recorder->streams;
  while (*link != stream)
    link = &(*link)->following;
  *link = stream->following;
  free(stream);
}

void warpo_stream_close(warpo_stream *stream) {
  if (!stream)
    return;
  warpo_recorder *recorder = full(stream)->recorder;
  pthread_mutex_lock(&recorder->lock);
  warpo_stream_remove(full(stream));
  pthread_mutex_unlock(&recorder->lock);
}

void warpo_stream_flush(warpo_stream *stream) {
  if (stream)
    empty(full(stream), warpo_clock());
}
