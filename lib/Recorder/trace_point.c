/* SPDX-License-Identifier: Apache-2.0 */
/* The slow path of trace points: the stream's chunk is full, too old, or may not be filled. All of
 * it runs in the stream's own thread. */
#include "clock.h"
#include "streams.h"
#include "warpo/Recorder/event_packing.h"

#include <errno.h>
#include <string.h>

/* How often the thread that ends the record checks whether another thread has left its pause: that
 * one may be waiting for the lock that the first holds. */
enum { patience = 1 << 20 };

/* ---- What the trace point sees ---- */

static void set_next(warpo_stream_full *stream, char *next) {
  __atomic_store_n(&stream->head.next, (uint64_t *)next, __ATOMIC_RELEASE);
}

static void set_end(warpo_stream_full *stream, char *end) { stream->head.end = (uint64_t *)end; }

/* Whether the time since the base does not fit in an entry. */
static bool is_old(const warpo_stream_full *stream, uint64_t now) {
  return (now - __atomic_load_n(&stream->head.base, __ATOMIC_RELAXED)) >> 32 != 0;
}

/* ---- Losses ---- */

/* There is only one writer, so no atomic addition is needed. */
static void count(_Atomic uint64_t *counter, uint64_t more) {
  atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more,
                        memory_order_relaxed);
}

/* `before`: the losses to this cause when the ones began that are recorded together with this one.
 */
static char *lose(warpo_stream_full *stream, warpo_loss *loss, uint64_t before, uint64_t now) {
  if (atomic_load_explicit(&loss->count, memory_order_relaxed) == before)
    atomic_store_explicit(&loss->since, now, memory_order_relaxed);
  count(&loss->count, 1);
  if (stream->refused && !stream->live)
    warpo_count_refused(stream->shared, 1);
  set_end(stream, warpo_stream_next(stream));
  return NULL;
}

static bool drop(warpo_stream_full *stream, uint64_t now) {
  lose(stream, &stream->losses->to_buffer, stream->lost_before, now);
  return false;
}

static char *lose_to_failure(warpo_stream_full *stream, uint64_t now) {
  return lose(stream, &stream->losses->to_failure, 0, now);
}

static char *lose_to_limit(warpo_stream_full *stream, uint64_t now) {
  return lose(stream, &stream->losses->to_limit, 0, now);
}

bool warpo_take_one(warpo_streams *streams) {
  uint64_t room = atomic_load_explicit(&streams->room, memory_order_relaxed);
  while (room != 0)
    if (atomic_compare_exchange_weak_explicit(&streams->room, &room, room - 1, memory_order_relaxed,
                                              memory_order_relaxed))
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

/* Drains in the stream's thread. Also drains old events of other streams, whose threads may be
 * idle: some formats have a max_age. Does not do that with fuel, which does not measure age. */
static void drain_here(warpo_stream_full *stream, uint64_t now) {
  warpo_streams *streams = stream->shared;
  pthread_mutex_lock(&streams->lock);
  warpo_stream_full *others = warpo_is_timeless(streams) ? NULL : streams->first;
  for (warpo_stream_full *other = others; other; other = other->following)
    if (other != stream && is_old(other, now))
      warpo_drain_all(other);
  warpo_drain(stream);
  pthread_mutex_unlock(&streams->lock);
}

/* In a buffer that survives the process, marks the chunks before number `oldest` as given up. */
static void give_up_live(warpo_live_stream *live, uint64_t oldest) {
  live->progress.chunks = oldest;
  atomic_thread_fence(memory_order_release); /* before the chunk is used again */
}

/* In such a buffer, marks chunk `number` as empty and next. */
static void begin_live_chunk(warpo_stream_full *stream, uint64_t number) {
  memset(warpo_chunk_begin(stream, number), 0, stream->chunk_bytes);
  stream->live->chunks[number % stream->chunk_count] = warpo_stream_chunk(stream, number)->head;
  atomic_store_explicit(&stream->live->begun, number + 1, memory_order_release);
}

/* Gives up the oldest chunk of a ring, unless a dump is reading it. */
static bool turn_ring(warpo_stream_full *stream) {
  bool turned = false;
  atomic_store(&stream->turning, true);
  if (!atomic_load(&stream->shared->dumping)) {
    uint64_t oldest = atomic_load_explicit(&stream->drained, memory_order_relaxed);
    warpo_chunk *chunk = warpo_stream_chunk(stream, oldest);
    count(&stream->given_up,
          (size_t)(chunk->end - warpo_chunk_begin(stream, oldest)) / stream->entry_size);
    atomic_store_explicit(&stream->drained, oldest + 1, memory_order_release);
    if (stream->live)
      give_up_live(stream->live, oldest + 1);
    turned = true;
  }
  atomic_store(&stream->turning, false);
  return turned;
}

static uint64_t events_up_to_end(warpo_stream_full *stream, uint64_t number) {
  const warpo_chunk *chunk = warpo_stream_chunk(stream, number);
  return chunk->head.events_before +
         (size_t)(chunk->end - warpo_chunk_begin(stream, number)) / stream->entry_size;
}

static void begin_chunk(warpo_stream_full *stream, uint64_t now) {
  uint64_t number = atomic_load_explicit(&stream->filled, memory_order_relaxed);
  const warpo_loss *dropped = &stream->losses->to_buffer;
  warpo_chunk_head *head = &warpo_stream_chunk(stream, number)->head;
  /* Choose an early base: later events beyond the format's max_age then do not fit in the chunk. */
  uint64_t lead = (UINT64_C(1) << 32) - stream->shared->max_age;
  *head =
      (warpo_chunk_head){.base = now - 1 - lead,
                         .events_before = number == 0 ? 0 : events_up_to_end(stream, number - 1),
                         .lost_before = dropped->count,
                         .lost = warpo_dropped_last(stream),
                         .lost_since = dropped->since};
  stream->lost_before = head->lost_before;
  if (stream->live)
    begin_live_chunk(stream, number);
  __atomic_store_n(&stream->head.base, head->base, __ATOMIC_SEQ_CST);
  set_next(stream, warpo_chunk_begin(stream, number));
}

/* Begins a chunk, waiting for a free one if necessary; false if the event is lost. */
static bool next_chunk(warpo_stream_full *stream, uint64_t now) {
  warpo_streams *streams = stream->shared;
  bool has_new = warpo_stream_next(stream) != NULL;
  bool waits = false;
  warpo_stream_hand_over(stream);
  if (streams->policy == WARPO_POLICY_RING) {
    if (!has_free_chunk(stream) && !turn_ring(stream))
      return drop(stream, now);
  } else if (!streams->has_writer) {
    drain_here(stream, now);
  } else {
    if (has_new)
      warpo_writer_wake(streams);
    if (!has_free_chunk(stream) && streams->policy == WARPO_POLICY_DROP)
      return drop(stream, now);
    waits = !has_free_chunk(stream);
    warpo_writer_wait(stream);
    if (!has_free_chunk(stream))
      return lose_to_failure(stream, now);
  }
  /* The wait will be recorded as the recorder's time; max_items does not count it. */
  stream->has_waited = waits && !warpo_is_timeless(streams);
  begin_chunk(stream, now);
  return true;
}

/* Where to store an event at time `now`; NULL if it is lost. */
static char *make_room(warpo_stream_full *stream, uint64_t now) {
  warpo_streams *streams = stream->shared;
  if (stream->process != streams->process)
    streams->calls->follow(stream);
  int stop = atomic_load_explicit(&streams->stop, memory_order_relaxed);
  if (stream->refused || stop == warpo_stop_failed)
    return lose_to_failure(stream, now);
  bool limited = streams->limited;
  if (stop == warpo_stop_limit ||
      (limited && atomic_load_explicit(&streams->room, memory_order_relaxed) == 0))
    return lose_to_limit(stream, now);
  char *next = warpo_stream_next(stream);
  char *end = next ? warpo_chunk_begin(stream, stream->filled) + stream->chunk_bytes : NULL;
  if (next == end || is_old(stream, now)) {
    if (!next_chunk(stream, now))
      return NULL;
    next = warpo_stream_next(stream);
    end = next + stream->chunk_bytes;
  }
  /* In a limited record, each event takes its place from the shared limit, so that the streams keep
   * exactly the first ones. */
  if (limited && !warpo_take_one(streams)) {
    stream->has_waited = false; /* there is no entry that the wait could stand behind */
    return lose_to_limit(stream, now);
  }
  set_end(stream, stream->one_by_one ? next + stream->entry_size : end);
  return next;
}

/* Stores an event in the given room. */
static void put(warpo_stream_full *stream, char *room, uint64_t now, int32_t id, uint64_t fuel) {
  if (stream->form == warpo_entry_fuel_event)
    ((uint64_t *)room)[1] = fuel;
  /* The base that the trace point uses may have been changed to make it slow. */
  uint64_t base = warpo_stream_chunk(stream, stream->filled)->head.base;
  __atomic_store_n((uint64_t *)room, (now - base) << 32 | (uint32_t)id, __ATOMIC_RELEASE);
  set_next(stream, room + stream->entry_size);
}

/* The thread has waited since its last event. A wait is not an event that could be lost, so it is
 * stored only if there is room. */
static void put_wait(warpo_stream_full *stream, uint64_t fuel) {
  const warpo_chunk *chunk = warpo_stream_chunk(stream, stream->filled);
  char *next = warpo_stream_next(stream);
  uint64_t now = warpo_clock_now(stream->shared->clock);
  bool is_full = !next || next == warpo_chunk_begin(stream, stream->filled) + stream->chunk_bytes;
  if (is_full || (now - chunk->head.base) >> 32)
    return;
  put(stream, next, now, warpo_recorded_id, fuel);
  if (stream->one_by_one)
    set_end(stream, warpo_stream_next(stream));
}

void warpo_stream_store(warpo_stream_full *stream, uint64_t now, int32_t id, uint64_t fuel) {
  /* After a pause, the chunk continues. */
  if (warpo_is_slow(stream) && warpo_stream_next(stream))
    __atomic_store_n(&stream->head.base, warpo_stream_chunk(stream, stream->filled)->head.base,
                     __ATOMIC_SEQ_CST);
  char *room = make_room(stream, now);
  if (!room)
    return;
  put(stream, room, now, id, fuel);
}

/* ---- Switched off ---- */

void warpo_stream_switch_off(warpo_stream_full *stream) {
  uint64_t expected = 0;
  const warpo_streams *streams = stream->shared;
  uint64_t now = warpo_is_timeless(streams) ? 1 : warpo_clock_now(streams->clock);
  /* If several pauses passed without a trace point, keep the time of the first. */
  atomic_compare_exchange_strong(&stream->off_since, &expected, now);
  warpo_make_slow(stream);
}

/* The stream's last event: a pause does not begin before its time. Has time `now` if it is unknown.
 */
static warpo_passed last_entry(warpo_stream_full *stream, uint64_t now, uint64_t fuel) {
  const char *next = warpo_stream_next(stream);
  if (!next || next == warpo_chunk_begin(stream, stream->filled))
    return (warpo_passed){now, fuel, 0};
  const uint64_t *last = (const uint64_t *)(next - stream->entry_size);
  uint64_t base = warpo_stream_chunk(stream, stream->filled)->head.base;
  return (warpo_passed){base + (last[0] >> 32),
                        stream->form == warpo_entry_fuel_event ? last[1] : fuel, 0};
}

/* `since`: when recording was switched off; 0: now. `is_over`: it is on again, so fuel burnt since
 * the last entry was burnt in the pause. */
static void begin_pause(warpo_stream_full *stream, uint64_t since, uint64_t now, uint64_t fuel,
                        bool is_over) {
  warpo_pause *pause = &stream->pause;
  pause->is_on = true;
  pause->section = stream->shared->calls->name_pause(stream);
  if (since != 0) {
    warpo_passed last = last_entry(stream, now, fuel);
    if (is_over)
      fuel = last.fuel;
    if (warpo_is_timeless(stream->shared) || since > now)
      since = now;
    now = last.time < now && last.time >= since ? last.time + 1 : since;
  }
  if (pause->section != 0)
    warpo_stream_store(stream, now, pause->section, fuel);
}

static void pass_over(warpo_stream_full *stream, uint64_t now, int32_t id, uint64_t fuel) {
  warpo_pause *pause = &stream->pause;
  count(&stream->switched_off, 1);
  if (!warpo_pause_follow(pause, (warpo_passed){now, fuel, id}))
    lose_to_failure(stream, now);
}

/* Records the pause up to now: its section is the innermost call. Begins and ends that the record's
 * stack needs are stored at their own times, with the section ended before and begun again after
 * each. */
static void put_pause(warpo_stream_full *stream, uint64_t now, uint64_t fuel, warpo_put *put) {
  const warpo_pause *pause = &stream->pause;
  bool has_section = pause->section != 0;
  for (size_t i = 0; i < pause->count; ++i) {
    const warpo_passed *passed = &pause->passed[i];
    /* A trap also ends the section. */
    bool is_trap = passed->id == WARPO_TRAP_ID;
    if (has_section && !is_trap)
      put(stream, passed->time, -pause->section, passed->fuel);
    put(stream, passed->time, passed->id, passed->fuel);
    has_section = is_trap ? false : pause->section != 0;
    if (has_section)
      put(stream, passed->time, pause->section, passed->fuel);
  }
  if (has_section)
    put(stream, now, -pause->section, fuel);
}

void warpo_stream_end_pause(warpo_stream_full *stream, warpo_put *put) {
  warpo_pause *pause = &stream->pause;
  bool is_entered = false;
  for (int i = 0; i < patience && !is_entered; ++i)
    is_entered = warpo_pause_enter(pause);
  const warpo_streams *streams = stream->shared;
  bool is_recorded = !stream->refused && stream->process == streams->process;
  if (!is_entered || !pause->is_on || !is_recorded)
    return;
  uint64_t now = warpo_is_timeless(streams) ? pause->last.time : warpo_clock_now(streams->clock);
  put_pause(stream, now, pause->last.fuel, put);
}

/* A trace point while recording is, or was, switched off. */
static void cross_pause(warpo_stream_full *stream, uint64_t now, int32_t id, uint64_t fuel,
                        bool is_off, uint64_t since) {
  if (!warpo_pause_enter(&stream->pause)) {
    lose_to_failure(stream, now); /* the record has ended */
    return;
  }
  if (!stream->pause.is_on)
    begin_pause(stream, since, now, fuel, !is_off);
  if (is_off) {
    pass_over(stream, now, id, fuel);
    warpo_pause_leave(&stream->pause);
    return;
  }
  put_pause(stream, now, fuel, warpo_stream_store);
  warpo_pause_forget(&stream->pause);
  warpo_stream_store(stream, now, id, fuel);
}

void warpo_event_stream_slow_fuel(warpo_event_stream *head, uint64_t now, int32_t id,
                                  uint64_t fuel) {
  warpo_stream_full *stream = warpo_full(head);
  warpo_streams *streams = stream->shared;
  if (streams->clock == WARPO_CLOCK_MONOTONIC)
    now = warpo_clock_now(streams->clock);
  else if (warpo_fuel_is_time(stream))
    now = 0;
  /* `off` is set before `off_since`, so read them in the reverse order. */
  uint64_t since = atomic_exchange(&stream->off_since, 0);
  bool is_off = atomic_load(&streams->off);
  if (is_off || stream->pause.is_on || since != 0)
    cross_pause(stream, now, id, fuel, is_off, since);
  else
    warpo_stream_store(stream, now, id, fuel);
  /* Nothing may come between a trap and the end it explains. */
  if (stream->has_waited && !is_off && id != WARPO_TRAP_ID)
    put_wait(stream, fuel);
  stream->has_waited = false;
  /* Stay slow: switching off made the stream slow, perhaps before this chunk began, and only the
   * slow path can end a pause, even if recording is on already. */
  if (stream->pause.is_on || atomic_load(&streams->off))
    warpo_make_slow(stream);
}

void warpo_event_stream_slow(warpo_event_stream *head, uint64_t now, int32_t id) {
  warpo_event_stream_slow_fuel(head, now, id, /*fuel=*/0);
}

void warpo_event_stream_misused(warpo_event_stream *stream) {
  warpo_streams *streams = warpo_full(stream)->shared;
  pthread_mutex_lock(&streams->lock);
  streams->calls->fail(streams->recorder, "a stream was used by two threads at once", EDEADLK);
  pthread_mutex_unlock(&streams->lock);
}
