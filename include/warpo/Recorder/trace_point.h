/* SPDX-License-Identifier: Apache-2.0 */
/* The trace point: 8 bytes an event.
 *
 *   warpo_stream *stream = warpo_stream_open(recorder, module_id);
 *   ... warpo_trace_point(stream, id) wherever the module calls builtin.tracePoint(id) ...
 *   warpo_stream_close(stream);
 *
 * Generated code does the same as warpo_trace_event_at here: one check, one store. All
 * rare cases, whatever the format, policy and limits, are handled by
 * warpo_event_stream_slow. With max_items or WARPO_CLOCK_MONOTONIC each event takes that
 * slow path. */
#ifndef WARPO_RECORDER_TRACE_POINT_H
#define WARPO_RECORDER_TRACE_POINT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPO_RECORDER_API __attribute__((visibility("default")))

/* Ids that no function has, in every format and with the same meaning in all modules.
 *
 * A begin of WARPO_TRAP_ID, which has no end, says how the call ended whose end follows: by a trap,
 * which also ended all calls within it. WARPO_SUSPENDED_ID begins when the stack is suspended and
 * ends when it is resumed. WARPO_RECORDING_ID begins when the recorder keeps the thread from
 * running the program, to pack events or to wait until others are written, and ends when the
 * program continues. */
#define WARPO_TRAP_ID 0x7fffffff
#define WARPO_SUSPENDED_ID 0x7ffffffe
#define WARPO_RECORDING_ID 0x7ffffffd

typedef struct warpo_recorder warpo_recorder;

/* The part of a stream that the trace point uses; the rest is private. */
typedef struct warpo_event_stream {
  uint64_t *next;  /* where the next event goes; published with release order */
  uint64_t *end;   /* no room from here on */
  uint64_t base;   /* times of events count from here: at most 2^32 counts. Another thread moves it
                      far away to switch recording off */
  uint32_t in_use; /* a thread is within a trace point; kept in builds without NDEBUG only */
} warpo_event_stream;

/* Opens a stream for one instance of a module on one thread. WARPO_FORMAT_WARP has no threads and
 * needs each module's events in time order: a second open stream of a module is an error there
 * (EBUSY). Without memory for its buffer, too, all events of the stream are counted as lost. NULL
 * only if `recorder` is NULL or there is no memory even to count (ENOMEM). */
WARPO_RECORDER_API warpo_event_stream *warpo_event_stream_open(warpo_recorder *recorder,
                                                               uint64_t module);

/* Writes the stream's buffered events and releases it. */
WARPO_RECORDER_API void warpo_event_stream_close(warpo_event_stream *stream);

/* Writes the stream's buffered events: before a long pause, or for another process to see them. Not
 * with WARPO_POLICY_RING. */
WARPO_RECORDER_API void warpo_event_stream_flush(warpo_event_stream *stream);

/* Reports two threads in one stream, which loses events: the recorder's error becomes EDEADLK. */
WARPO_RECORDER_API void warpo_event_stream_misused(warpo_event_stream *stream);

/* The rare cases of a trace point: records the event or counts it as lost. */
WARPO_RECORDER_API void warpo_event_stream_slow(warpo_event_stream *stream, uint64_t now,
                                                int32_t id);

/* The record's clock: the processor's time stamp counter. */
static inline uint64_t warpo_clock(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t count;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#elif defined(__wasm__)
  return 0; /* what is compiled to WebAssembly encodes, and reads no clock */
#else
#error "no clock for this processor"
#endif
}

/* Brackets a trace point's use of its stream, to detect two threads in one stream. */
static inline void warpo_event_stream_enter(warpo_event_stream *stream) {
#ifndef NDEBUG
  if (__atomic_load_n(&stream->in_use, __ATOMIC_RELAXED))
    warpo_event_stream_misused(stream);
  __atomic_store_n(&stream->in_use, 1, __ATOMIC_RELAXED);
#else
  (void)stream;
#endif
}
static inline void warpo_event_stream_leave(warpo_event_stream *stream) {
#ifndef NDEBUG
  __atomic_store_n(&stream->in_use, 0, __ATOMIC_RELAXED);
#else
  (void)stream;
#endif
}

/* Records that the module reached builtin.tracePoint(id) at time `now`. The upper half of an event
 * is the time since `base`, the lower half is the id. */
static inline void warpo_trace_event_at(warpo_event_stream *stream, uint64_t now, int32_t id) {
  warpo_event_stream_enter(stream);
  uint64_t delta = now - __atomic_load_n(&stream->base, __ATOMIC_RELAXED);
  uint64_t *event = stream->next;
  if (__builtin_expect((delta >> 32) != 0 || event == stream->end, 0)) {
    warpo_event_stream_slow(stream, now, id);
  } else {
    *event = delta << 32 | (uint32_t)id;
    __atomic_store_n(&stream->next, event + 1, __ATOMIC_RELEASE);
  }
  warpo_event_stream_leave(stream);
}

/* Records that the module reached builtin.tracePoint(id) now. */
static inline void warpo_trace_event(warpo_event_stream *stream, int32_t id) {
  if (stream)
    warpo_trace_event_at(stream, warpo_clock(), id);
}

/* The same by the names that WARPO's embedders know. */
typedef warpo_event_stream warpo_stream;
static inline warpo_stream *warpo_stream_open(warpo_recorder *recorder, uint64_t module) {
  return warpo_event_stream_open(recorder, module);
}
static inline void warpo_stream_close(warpo_stream *stream) { warpo_event_stream_close(stream); }
static inline void warpo_stream_flush(warpo_stream *stream) { warpo_event_stream_flush(stream); }
static inline void warpo_trace_point(warpo_stream *stream, int32_t id) {
  warpo_trace_event(stream, id);
}

#ifdef __cplusplus
}
#endif

#endif
