/* The slow side of trace points: what happens when a stream's chunk is full, old, or not allowed to
 * fill. All of it is done by the stream's own thread. */
#include "internal.h"

#include <errno.h>

/* ---- The window that the trace point sees ---- */

char *warpo_stream_next(const warpo_stream_full *stream) {
  return stream->has_records ? (char *)__atomic_load_n(&stream->head.records.next, __ATOMIC_ACQUIRE)
                             : (char *)__atomic_load_n(&stream->head.events.next, __ATOMIC_ACQUIRE);
}

static void set_next(warpo_stream_full *stream, char *next) {
  if (stream->has_records)
    __atomic_store_n(&stream->head.records.next, (warpo_record *)next, __ATOMIC_RELEASE);
  else
    __atomic_store_n(&stream->head.events.next, (uint64_t *)next, __ATOMIC_RELEASE);
}

static void set_end(warpo_stream_full *stream, char *end) {
  if (stream->has_records)
    stream->head.records.end = (warpo_record *)end;
  else
    stream->head.events.end = (uint64_t *)end;
}

uint64_t *warpo_stream_base(warpo_stream_full *stream) {
  return stream->has_records ? &stream->head.records.base : &stream->head.events.base;
}

/* Whether times since the base are too long for an entry, or its age for the format. */
static bool is_old(warpo_stream_full *stream, uint64_t now) {
  uint64_t age = now - __atomic_load_n(warpo_stream_base(stream), __ATOMIC_RELAXED);
  return age >> (stream->form == warpo_entry_record ? WARPO_WAIT_SHIFT : 32) != 0;
}

/* ---- Losses ---- */

/* One writer, so no atomic addition is needed. */
static void count(_Atomic uint64_t *counter, uint64_t more) {
  atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more,
                        memory_order_relaxed);
}

static char *lose(warpo_stream_full *stream, warpo_loss *loss, uint64_t now) {
  if (atomic_load_explicit(&loss->count, memory_order_relaxed) == 0)
    atomic_store_explicit(&loss->since, now, memory_order_relaxed);
  count(&loss->count, 1);
  set_end(stream, warpo_stream_next(stream));
  return NULL;
}

static bool drop(warpo_stream_full *stream, uint64_t now) {
  count(&stream->lost_to_buffer, 1);
  lose(stream, &stream->dropped, now);
  return false;
}

bool warpo_take_one(warpo_recorder *recorder) {
  uint64_t room = atomic_load_explicit(&recorder->room, memory_order_relaxed);
  while (room != 0)
    if (atomic_compare_exchange_weak_explicit(&recorder->room, &room, room - 1,
                                              memory_order_relaxed, memory_order_relaxed))
      return true;
  return false;
}

/* ---- From chunk to chunk ---- */

void warpo_stream_hand_over(warpo_stream_full *stream) {
  char *next = warpo_stream_next(stream);
  if (!next)
    return;
  uint64_t number = atomic_load_explicit(&stream->filled, memory_order_relaxed);
  warpo_stream_chunk(stream, number)->end = next;
  atomic_store_explicit(&stream->filled, number + 1, memory_order_release);
  set_next(stream, NULL);
  set_end(stream, NULL);
}

static bool has_free_chunk(const warpo_stream_full *stream) {
  return atomic_load_explicit(&stream->filled, memory_order_relaxed) -
             atomic_load_explicit(&stream->drained, memory_order_acquire) <
         stream->chunk_count;
}

/* Drains in the thread of the stream, and what has waited for long in others, which may be silent:
 * records of WARPO_FORMAT_WARP must not wait. */
static void drain_here(warpo_stream_full *stream, uint64_t now) {
  warpo_recorder *recorder = stream->recorder;
  pthread_mutex_lock(&recorder->lock);
  for (warpo_stream_full *other = recorder->streams; other; other = other->following)
    if (other != stream && is_old(other, now))
      warpo_drain_all(other);
  warpo_drain(stream);
  pthread_mutex_unlock(&recorder->lock);
}

/* Gives up the oldest chunk of a ring, unless somebody is reading it. */
static bool turn_ring(warpo_stream_full *stream) {
  bool turned = false;
  atomic_store(&stream->turning, true);
  if (!atomic_load(&stream->recorder->dumping)) {
    uint64_t oldest = atomic_load_explicit(&stream->drained, memory_order_relaxed);
    warpo_chunk *chunk = warpo_stream_chunk(stream, oldest);
    uint64_t events = (size_t)(chunk->end - warpo_chunk_begin(stream, oldest)) / stream->entry_size;
    count(&stream->lost_to_buffer, events);
    count(&stream->overwritten, events + chunk->lost);
    atomic_store_explicit(&stream->drained, oldest + 1, memory_order_release);
    warpo_live_give_up(stream, oldest + 1);
    turned = true;
  }
  atomic_store(&stream->turning, false);
  return turned;
}

/* Begins a chunk, if need be after waiting for one; false if the event is lost. */
static bool next_chunk(warpo_stream_full *stream, uint64_t now) {
  warpo_recorder *recorder = stream->recorder;
  bool has_new = warpo_stream_next(stream) != NULL;
  warpo_stream_hand_over(stream);
  if (recorder->options.policy == WARPO_POLICY_RING) {
    if (!has_free_chunk(stream) && !turn_ring(stream))
      return drop(stream, now);
  } else if (!recorder->has_writer) {
    drain_here(stream, now);
  } else {
    if (has_new)
      warpo_writer_wake(recorder);
    if (!has_free_chunk(stream) && recorder->options.policy == WARPO_POLICY_DROP)
      return drop(stream, now);
    warpo_writer_wait(stream);
    if (!has_free_chunk(stream))
      return lose(stream, &stream->lost_to_failure, now);
  }
  uint64_t number = atomic_load_explicit(&stream->filled, memory_order_relaxed);
  warpo_chunk *chunk = warpo_stream_chunk(stream, number);
  *chunk = (warpo_chunk){
      .base = now, .lost = stream->dropped.count, .lost_since = stream->dropped.since};
  atomic_store_explicit(&stream->dropped.count, 0, memory_order_relaxed);
  warpo_live_begin_chunk(stream, number);
  __atomic_store_n(warpo_stream_base(stream), now, __ATOMIC_RELAXED);
  set_next(stream, warpo_chunk_begin(stream, number));
  return true;
}

/* Where an event at `now` goes; NULL if it is lost. */
static char *make_room(warpo_stream_full *stream, uint64_t now) {
  warpo_recorder *recorder = stream->recorder;
  if (stream->process != recorder->process)
    warpo_process_follow(stream);
  int stop = atomic_load_explicit(&recorder->stop, memory_order_relaxed);
  if (stream->refused || stop == warpo_stop_failed)
    return lose(stream, &stream->lost_to_failure, now);
  bool limited = recorder->limited;
  if (stop == warpo_stop_limit ||
      (limited && atomic_load_explicit(&recorder->room, memory_order_relaxed) == 0))
    return lose(stream, &stream->lost_to_limit, now);
  char *next = warpo_stream_next(stream);
  char *end = next ? warpo_chunk_begin(stream, stream->filled) + stream->chunk_bytes : NULL;
  if (next == end || is_old(stream, now)) {
    if (!next_chunk(stream, now))
      return NULL;
    next = warpo_stream_next(stream);
    end = next + stream->chunk_bytes;
  }
  /* Each event of a limited record takes its own place, so that all streams together keep exactly
   * the first ones. */
  if (limited && !warpo_take_one(recorder))
    return lose(stream, &stream->lost_to_limit, now);
  set_end(stream, stream->one_by_one ? next + stream->entry_size : end);
  return next;
}

warpo_record *warpo_stream_slow(warpo_stream *head, uint64_t now) {
  return (warpo_record *)make_room(warpo_full(head), now);
}

void warpo_event_stream_slow_fuel(warpo_event_stream *head, uint64_t now, int32_t id,
                                  uint64_t fuel) {
  warpo_stream_full *stream = warpo_full_of_events(head);
  warpo_recorder_clock clock = stream->recorder->options.clock;
  if (clock == WARPO_CLOCK_MONOTONIC)
    now = warpo_clock_now(clock);
  else if (clock == WARPO_CLOCK_FUEL && stream->form == warpo_entry_fuel_event)
    now = fuel;
  char *room = make_room(stream, now);
  if (!room)
    return;
  if (stream->form == warpo_entry_record) {
    *(warpo_record *)room =
        (warpo_record){.module = stream->module, .time = (uint32_t)now, .id = id};
  } else {
    if (stream->form == warpo_entry_fuel_event)
      ((uint64_t *)room)[1] = fuel;
    __atomic_store_n((uint64_t *)room, (now - head->base) << 32 | (uint32_t)id, __ATOMIC_RELEASE);
  }
  set_next(stream, room + stream->entry_size);
}

void warpo_event_stream_slow(warpo_event_stream *head, uint64_t now, int32_t id) {
  warpo_event_stream_slow_fuel(head, now, id, /*fuel=*/0);
}

static void misused(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  pthread_mutex_lock(&recorder->lock);
  warpo_sink_fail(&recorder->sink, "a stream was used by two threads at once", EDEADLK);
  pthread_mutex_unlock(&recorder->lock);
}

void warpo_stream_misused(warpo_stream *stream) { misused(warpo_full(stream)); }
void warpo_event_stream_misused(warpo_event_stream *stream) {
  misused(warpo_full_of_events(stream));
}
