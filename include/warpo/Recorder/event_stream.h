/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of modules that count fuel, or something else: 16 bytes an event, with time and count.
 *
 *     warpo_event_stream *stream = warpo_event_stream_open_fuel(recorder, module_id);
 *     ... warpo_trace_event_fuel(stream, id, fuel) wherever it calls builtin.tracePointFuel ...
 *     warpo_event_stream_close(stream);
 *
 * With WARPO_CLOCK_FUEL fuel is all the time there is, and no clock is read: such a stream, and
 * warpo_trace_event_fuel_at(stream, 0, id, fuel), whose time is not looked at; or one of the short
 * events, and warpo_trace_event_at(stream, fuel, id). warpo_trace_event is wrong there, and
 * warpo_trace_event_fuel reads the counter for nothing and goes through the slow function.
 */
#ifndef WARPO_RECORDER_EVENT_STREAM_H
#define WARPO_RECORDER_EVENT_STREAM_H

#include "warpo/Recorder/warpo_recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stream for warpo_trace_event_fuel, and nothing else. WARPO_FORMAT_WARP has no place for fuel:
 * there it is an error (EINVAL), and all is counted as lost. */
WARPO_RECORDER_API warpo_event_stream *warpo_event_stream_open_fuel(warpo_recorder *recorder,
                                                                    uint64_t module);

/* The same for another measure, such as "bytes", whose count stands in the place of fuel in all
 * functions on the stream. Outputs show what was counted in each call under this name: letters,
 * digits, '-' and '_', 63 bytes at most. A colon and how it counts, of the same characters, may
 * follow ("bytes:max"). Outputs use these names for something else: time, calls, samples, probe,
 * suspended, module, stream, event, id, function, count and lost. A record has three measures
 * beside time and fuel, each counted in one way, and none with WARPO_CLOCK_FUEL. Another name, or
 * one measure more, is an error (EINVAL), and all events of that stream are counted as lost. */
WARPO_RECORDER_API warpo_event_stream *
warpo_event_stream_open_measured(warpo_recorder *recorder, uint64_t module, const char *measure);

WARPO_RECORDER_API void warpo_event_stream_slow_fuel(warpo_event_stream *stream, uint64_t now,
                                                     int32_t id, uint64_t fuel);

/* Records that the module reached builtin.tracePointFuel(id, fuel) when the counter stood at `now`.
 * Fuel stands behind the 8 bytes of the short form, and is there before them: who finds an event in
 * the buffer of a process that was killed finds it whole. */
static inline void warpo_trace_event_fuel_at(warpo_event_stream *stream, uint64_t now, int32_t id,
                                             uint64_t fuel) {
  warpo_event_stream_enter(stream);
  uint64_t delta = now - __atomic_load_n(&stream->base, __ATOMIC_RELAXED);
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

#ifdef __cplusplus
}
#endif

#endif
