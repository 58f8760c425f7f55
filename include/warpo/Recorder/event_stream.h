/* The short trace point: 8 bytes an event, 16 with fuel, for engines that compile it into their
 * code.
 *
 *     warpo_event_stream *stream = warpo_event_stream_open(recorder, module_id);
 *     ... warpo_trace_event(stream, id) wherever the module calls builtin.tracePoint(id) ...
 *     warpo_event_stream_close(stream);
 *
 * Code that is generated does what warpo_trace_event_at does here: one check, one store. Everything
 * that is rare, whatever the format, policy and limits are, lies behind warpo_event_stream_slow.
 * The form for which this is made is WARPO_FORMAT_WARPO: with WARPO_FORMAT_WARP, max_items or
 * WARPO_CLOCK_MONOTONIC each event goes through the slow function.
 *
 * Modules that count fuel have a stream of their own kind, whose events carry time and fuel:
 *
 *     warpo_event_stream *stream = warpo_event_stream_open_fuel(recorder, module_id);
 *     ... warpo_trace_event_fuel(stream, id, fuel) wherever it calls builtin.tracePointFuel ...
 *
 * With WARPO_CLOCK_FUEL fuel is all the time there is, and no clock is read: a stream of the short
 * events, and warpo_trace_event_at(stream, fuel, id). warpo_trace_event is wrong there.
 */
#ifndef WARPO_RECORDER_EVENT_STREAM_H
#define WARPO_RECORDER_EVENT_STREAM_H

#include "warpo/Recorder/warpo_recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the trace point needs of a stream; the rest of it is private. */
typedef struct warpo_event_stream {
  uint64_t *next;  /* where the next event goes; published with release order */
  uint64_t *end;   /* no room from here on */
  uint64_t base;   /* times of events count from here: at most 2^32 counts */
  uint32_t in_use; /* a thread is within a trace point; kept in builds without NDEBUG only */
} warpo_event_stream;

/* As the functions of warpo_stream. */
WARPO_RECORDER_API warpo_event_stream *warpo_event_stream_open(warpo_recorder *recorder,
                                                               uint64_t module);
WARPO_RECORDER_API void warpo_event_stream_close(warpo_event_stream *stream);
WARPO_RECORDER_API void warpo_event_stream_flush(warpo_event_stream *stream);
WARPO_RECORDER_API void warpo_event_stream_misused(warpo_event_stream *stream);

/* The rare part of a trace point: records the event, or counts it as lost. */
WARPO_RECORDER_API void warpo_event_stream_slow(warpo_event_stream *stream, uint64_t now,
                                                int32_t id);

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
  uint64_t delta = now - stream->base;
  uint64_t *event = stream->next;
  if (__builtin_expect((delta >> 32) != 0 || event == stream->end, 0)) {
    warpo_event_stream_slow(stream, now, id);
  } else {
    *event = delta << 32 | (uint32_t)id;
    __atomic_store_n(&stream->next, event + 1, __ATOMIC_RELEASE);
  }
  warpo_event_stream_leave(stream);
}

/* A stream for warpo_trace_event_fuel, and nothing else. WARPO_FORMAT_WARP has no place for fuel:
 * there it is an error (EINVAL), and all is counted as lost. With WARPO_CLOCK_FUEL it works, but
 * each event goes through the slow function. */
WARPO_RECORDER_API warpo_event_stream *warpo_event_stream_open_fuel(warpo_recorder *recorder,
                                                                    uint64_t module);

WARPO_RECORDER_API void warpo_event_stream_slow_fuel(warpo_event_stream *stream, uint64_t now,
                                                     int32_t id, uint64_t fuel);

/* Records that the module reached builtin.tracePointFuel(id, fuel) when the counter stood at `now`.
 * Fuel stands behind the 8 bytes of the short form, and is there before them: who finds an event in
 * the buffer of a process that was killed finds it whole. */
static inline void warpo_trace_event_fuel_at(warpo_event_stream *stream, uint64_t now, int32_t id,
                                             uint64_t fuel) {
  warpo_event_stream_enter(stream);
  uint64_t delta = now - stream->base;
  uint64_t *event = stream->next;
  if (__builtin_expect((delta >> 32) != 0 || event == stream->end, 0)) {
    warpo_event_stream_slow_fuel(stream, now, id, fuel);
  } else {
    event[1] = fuel;
    __atomic_store_n(event, delta << 32 | (uint32_t)id, __ATOMIC_RELEASE);
    __atomic_store_n(&stream->next, event + 2, __ATOMIC_RELEASE);
  }
  warpo_event_stream_leave(stream);
}

/* Records that the module reached builtin.tracePointFuel(id, fuel) now. */
static inline void warpo_trace_event_fuel(warpo_event_stream *stream, int32_t id, uint64_t fuel) {
  if (stream)
    warpo_trace_event_fuel_at(stream, warpo_clock(), id, fuel);
}

/* Records that the module reached builtin.tracePoint(id) now. */
static inline void warpo_trace_event(warpo_event_stream *stream, int32_t id) {
  if (stream)
    warpo_trace_event_at(stream, warpo_clock(), id);
}

#ifdef __cplusplus
}
#endif

#endif
