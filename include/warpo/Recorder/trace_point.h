/* SPDX-License-Identifier: Apache-2.0 */
/* The trace point: 8 bytes an event.
 *
 *     warpo_stream *stream = warpo_stream_open(recorder, module_id);
 *     ... warpo_trace_point(stream, id) wherever the module calls builtin.tracePoint(id) ...
 *     warpo_stream_close(stream);
 *
 * Code that is generated does what warpo_trace_event_at does here: one check, one store. Everything
 * that is rare, whatever the format, policy and limits are, lies behind warpo_event_stream_slow.
 * With max_items or WARPO_CLOCK_MONOTONIC each event goes through the slow function.
 */
#ifndef WARPO_RECORDER_TRACE_POINT_H
#define WARPO_RECORDER_TRACE_POINT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPO_RECORDER_API __attribute__((visibility("default")))

/* Ids that no function has, in every format; what they mean is the same in all modules.
 *
 * A begin of WARPO_TRAP_ID says how the call ended whose end follows: by a trap, which took it and
 * all calls above it. There is no end of it.
 * WARPO_SUSPENDED_ID begins where the stack is suspended and ends where it is resumed.
 * WARPO_RECORDING_ID begins where the recorder keeps the thread from running the program, to pack
 * events or to wait until others are written, and ends where the program continues. */
#define WARPO_TRAP_ID 0x7fffffff
#define WARPO_SUSPENDED_ID 0x7ffffffe
#define WARPO_RECORDING_ID 0x7ffffffd

typedef struct warpo_recorder warpo_recorder;

/* What the trace point needs of a stream; the rest of it is private. */
typedef struct warpo_event_stream {
  uint64_t *next;  /* where the next event goes; published with release order */
  uint64_t *end;   /* no room from here on */
  uint64_t base;   /* times of events count from here: at most 2^32 counts. Another thread moves it
                      far away to switch recording off */
  uint32_t in_use; /* a thread is within a trace point; kept in builds without NDEBUG only */
} warpo_event_stream;

/* A new stream for one instance of a module on one thread. WARPO_FORMAT_WARP has no threads and
 * wants each module in time order: there a second stream of a module that has an open one is an
 * error (EBUSY), all of it counted as lost; as is a stream for whose buffer there is no room. NULL
 * only if `recorder` is NULL or there is no memory even to count (ENOMEM). */
WARPO_RECORDER_API warpo_event_stream *warpo_event_stream_open(warpo_recorder *recorder,
                                                               uint64_t module);

/* Writes what waits in the stream and releases it. */
WARPO_RECORDER_API void warpo_event_stream_close(warpo_event_stream *stream);

/* Writes what waits in the stream: before a long pause, or so that another process sees it. Not
 * with WARPO_POLICY_RING. */
WARPO_RECORDER_API void warpo_event_stream_flush(warpo_event_stream *stream);

/* A stream that two threads use at once loses events: the recorder's error then is EDEADLK. */
WARPO_RECORDER_API void warpo_event_stream_misused(warpo_event_stream *stream);

/* The rare part of a trace point: records the event, or counts it as lost. */
WARPO_RECORDER_API void warpo_event_stream_slow(warpo_event_stream *stream, uint64_t now,
                                                int32_t id);

/* The clock of the record: counts of the processor's time stamp counter. */
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

/* Around all that a trace point does with a stream: notices two threads in one. */
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

/* Records that the module reached builtin.tracePoint(id) when the counter stood at `now`. An event
 * has in its upper half the time since `base` and in its lower one the id. */
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
