/* SPDX-License-Identifier: Apache-2.0 */
/* Streams while they record. A trace point stores an event into the stream's current chunk
 * (trace_point.c). Full chunks are drained (drain.c) by a separate thread (writer.c) or by the
 * tracing one. The layers above decide what happens to chunks; they are called through
 * warpo_stream_calls.
 *
 * Locks: `lock` is held to drain or to write, perhaps for as long as a full pipe lasts.
 * `state_lock` is held for a few instructions only, and may be taken under `lock`.
 */
#ifndef WARPO_RECORDER_STREAMS_H
#define WARPO_RECORDER_STREAMS_H

#include "live_file.h"
#include "pause.h"
#include "warpo/Recorder/stack_module.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

/* The ids of another module than the stream's first one. */
typedef struct warpo_stream_window {
  uint64_t module;
  int32_t id, first; /* the first id in the module, and in the stream */
  uint32_t count;
} warpo_stream_window;

/* The object that warpo_event_stream_join returns. */
typedef struct warpo_joined {
  warpo_stack_module module;
  struct warpo_joined *next;
} warpo_joined;

/* A stream. Chunks are used in turn; chunk number n stands at n % chunk_count. Those from `drained`
 * up to `filled` wait to be written; number `filled` is being filled if head.next is not NULL. */
typedef struct warpo_stream_full {
  warpo_event_stream head; /* was handed out */
  warpo_entry_form form;
  size_t entry_size; /* of this form */
  uint64_t measure;  /* the clock of what entries count beside their time; 0: nothing */
  bool one_by_one;   /* each trace point calls its slow function */
  bool has_waited;   /* for the chunk that was begun last, and no event says so yet */
  bool refused;      /* records nothing, all is lost; may have neither buffer nor encoder */
  bool has_place;    /* the file has room for the stream's end */
  bool is_free;      /* of a ring: closed, its events still count until it is used again */
  uint64_t closed;   /* how many streams had been closed before, if is_free */
  struct warpo_recorder *recorder; /* of the floors above */
  struct warpo_streams *shared;
  struct warpo_stream_full *_Atomic following; /* list of the recorder's streams */
  uint64_t module;
  uint64_t module_number; /* in the file, */
  uint64_t number;        /* as this */
  uint64_t thread;
  warpo_stream_window *windows; /* of further modules, by `first` */
  size_t window_count;
  warpo_joined *joined;
  uint64_t total_fuel;           /* of the instances that have joined */
  warpo_pause pause;             /* of its thread */
  _Atomic uint64_t switched_off; /* events that came while recording was */
  _Atomic uint64_t off_since;    /* when that began, if no trace point has come since; else 0 */
  pid_t process;                 /* whose events these are; 0: of a child that has no record yet */

  _Atomic uint64_t filled;
  _Atomic uint64_t drained;
  atomic_bool turning;       /* a ring's oldest chunk is being given up */
  _Atomic uint64_t given_up; /* events of a ring that made room for others */
  uint64_t lost_before;      /* of losses->to_buffer, those that a chunk says of */
  warpo_losses *losses;      /* the next, or where the buffer lies */
  warpo_losses own_losses;

  /* Used by the drain alone. */
  char *taken; /* up to where the chunk number `drained` has been read; NULL: it has not */
  bool declared;
  warpo_event_encoder encoder;
  warpo_event_encoder parents_encoder; /* in a child of a fork: that of the parent, not used */
  warpo_reading last_read;             /* of the last event */
  warpo_unrecorded unrecorded;

  size_t chunk_count;
  size_t chunk_bytes;
  warpo_chunk *chunks;
  char *buffer;
  warpo_live_stream *live; /* where the buffer lies; NULL: in memory of its own */
} warpo_stream_full;

/* Why no stream records any more. */
typedef enum warpo_stop { warpo_running, warpo_stop_failed, warpo_stop_limit } warpo_stop;

/* Calls to the layers above. */
typedef struct warpo_stream_calls {
  /* Takes entries of a chunk; `is_first`: from its beginning. Afterwards, `chunks` whole chunks of
   * the stream and `taken` bytes of the next one have been taken. The caller holds `lock`. */
  void (*take)(warpo_stream_full *stream, const warpo_chunk *chunk, bool is_first,
               const char *begin, const char *end, uint64_t chunks, size_t taken);
  /* Write the entries taken from a stream, and other buffered data. The caller holds `lock`. */
  void (*finish_block)(warpo_stream_full *stream);
  void (*flush)(struct warpo_recorder *recorder);
  /* The stream continues in a forked child. */
  void (*follow)(warpo_stream_full *stream);
  /* The id of the section for a pause; 0: the record has no room for it. */
  int32_t (*name_pause)(warpo_stream_full *stream);
  /* The caller holds `lock`. */
  void (*fail)(struct warpo_recorder *recorder, const char *what, int error);
} warpo_stream_calls;

/* The state shared by the streams of a recorder. */
typedef struct warpo_streams {
  const warpo_stream_calls *calls;
  struct warpo_recorder *recorder; /* for the calls */
  warpo_recorder_policy policy;
  warpo_recorder_clock clock;
  uint64_t max_age; /* how long an event may wait while others trace, in counts; at most 2^32 */
  pid_t process;    /* the one that writes the file */

  pthread_mutex_t lock;
  pthread_mutex_t state_lock;
  warpo_stream_full *_Atomic first;
  bool limited;              /* max_items was given */
  _Atomic uint64_t room;     /* events that may still be taken, if limited */
  _Atomic int stop;          /* warpo_stop */
  _Atomic uint64_t *refused; /* counts events of streams that were refused; NULL: not counted */
  atomic_bool dumping;       /* the chunks of rings stay as they are */
  atomic_bool off;           /* nothing is recorded: each trace point comes by its slow function */

  pthread_cond_t work;  /* for the writer thread: something has been handed over, or it shall end */
  pthread_cond_t space; /* for trace points: something has been drained */
  bool has_work, ending;
  bool has_writer; /* else each thread drains for itself */
  pthread_t writer;
} warpo_streams;

/* Counts events of a refused stream, if possible in memory that survives the process. */
static inline void warpo_count_refused(warpo_streams *streams, uint64_t count) {
  if (streams->refused)
    atomic_fetch_add_explicit(streams->refused, count, memory_order_relaxed);
}
/* The handed-out object is the first member of the full one. */
static inline warpo_stream_full *warpo_full(warpo_event_stream *stream) {
  return (warpo_stream_full *)stream;
}
/* The number of events lost to a full buffer after the stream's last one. */
static inline uint64_t warpo_dropped_last(const warpo_stream_full *stream) {
  return atomic_load_explicit(&stream->losses->to_buffer.count, memory_order_relaxed) -
         stream->lost_before;
}
/* Whether fuel is the only clock. The record is then the same for every run and machine: threads
 * have no numbers, streams are declared when opened, and blocks end only when full, not at the end
 * of a chunk. */
static inline bool warpo_is_timeless(const warpo_streams *streams) {
  return streams->clock == WARPO_CLOCK_FUEL;
}
/* Whether entries have fuel and an unused time. */
static inline bool warpo_fuel_is_time(const warpo_stream_full *stream) {
  return stream->form == warpo_entry_fuel_event && warpo_is_timeless(stream->shared);
}
/* Makes each trace point of the stream call its slow function, because every time is too far from
 * this base. May be called by any thread. */
#define WARPO_NO_BASE (UINT64_C(1) << 63)
static inline void warpo_make_slow(warpo_stream_full *stream) {
  __atomic_store_n(&stream->head.base, WARPO_NO_BASE, __ATOMIC_SEQ_CST);
}
static inline bool warpo_is_slow(const warpo_stream_full *stream) {
  return __atomic_load_n(&stream->head.base, __ATOMIC_RELAXED) == WARPO_NO_BASE;
}
/* Takes one event from the limit of all streams, max_items; false if none is left. */
bool warpo_take_one(warpo_streams *streams);

/* ---- trace_point.c ---- */
/* Where the stream's thread stores its next event; NULL if no chunk has begun. */
static inline char *warpo_stream_next(const warpo_stream_full *stream) {
  return (char *)__atomic_load_n(&stream->head.next, __ATOMIC_ACQUIRE);
}
/* A function that stores an event. */
typedef void warpo_put(warpo_stream_full *stream, uint64_t now, int32_t id, uint64_t fuel);
/* Stores an event in the chunk. Called by the stream's thread. */
warpo_put warpo_stream_store;
/* Switches recording off; the stream's thread records the pause at its next trace point. May be
 * called by any thread that keeps the stream from being removed. */
void warpo_stream_switch_off(warpo_stream_full *stream);
/* Ends a pause because the stream ends: stores the events of the pause that the record needs. May
 * be called by any thread; the stream's own thread must record nothing more. */
void warpo_stream_end_pause(warpo_stream_full *stream, warpo_put *put);
/* Ends the current chunk. Called by the stream's thread, or while that does not run. */
void warpo_stream_hand_over(warpo_stream_full *stream);
static inline warpo_chunk *warpo_stream_chunk(warpo_stream_full *stream, uint64_t number) {
  return &stream->chunks[number % stream->chunk_count];
}
static inline char *warpo_chunk_begin(warpo_stream_full *stream, uint64_t number) {
  return stream->buffer + number % stream->chunk_count * stream->chunk_bytes;
}
/* ---- drain.c: the caller holds `lock` ---- */
/* Takes the chunks that were handed over. */
void warpo_drain(warpo_stream_full *stream);
/* The same, and what the current chunk holds. */
void warpo_drain_all(warpo_stream_full *stream);

/* ---- writer.c ---- */
void warpo_writer_start(warpo_streams *streams);
void warpo_writer_stop(warpo_streams *streams);
void warpo_writer_wake(warpo_streams *streams);
/* Waits until one of the stream's chunks is free. */
void warpo_writer_wait(warpo_stream_full *stream);

#endif
