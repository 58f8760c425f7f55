/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of modules that count fuel or another measure: 16 bytes an event, with time and count.
 *
 *   warpo_event_stream *stream = warpo_event_stream_open_fuel(recorder, module_id);
 *   ... warpo_trace_event_fuel(stream, id, fuel) wherever it calls builtin.tracePointFuel ...
 *   warpo_event_stream_close(stream);
 *
 * With WARPO_CLOCK_FUEL, fuel is the only time and no clock is read. Use
 * warpo_trace_event_fuel_at(stream, 0, id, fuel), which ignores the time, or
 * warpo_trace_event_at(stream, fuel, id) on a stream of short events. Do not use
 * warpo_trace_event there; warpo_trace_event_fuel works, but reads the clock for nothing and
 * takes the slow path. */
#ifndef WARPO_RECORDER_EVENT_STREAM_H
#define WARPO_RECORDER_EVENT_STREAM_H

#include "warpo/Recorder/warpo_recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a stream for warpo_trace_event_fuel alone. With WARPO_FORMAT_WARP, which cannot store fuel,
 * it is an error (EINVAL), and all events are counted as lost. */
WARPO_RECORDER_API warpo_event_stream *warpo_event_stream_open_fuel(warpo_recorder *recorder,
                                                                    uint64_t module);

/* The same for another measure, such as "bytes": in all functions on the stream, its count takes
 * the place of fuel. Outputs show what was counted in each call under this name: at most 63
 * letters, digits, '-' and '_'. A colon and the way of counting, of the same characters, may follow
 * ("bytes:max"). These names are reserved: time, calls, samples, probe, suspended, module, stream,
 * event, id, function, count and lost. A record can have three measures beside time and fuel, each
 * counted in one way, and none with WARPO_CLOCK_FUEL. An invalid name or a further measure is an
 * error (EINVAL), and all events of that stream are counted as lost. */
WARPO_RECORDER_API warpo_event_stream *
warpo_event_stream_open_measured(warpo_recorder *recorder, uint64_t module, const char *measure);

WARPO_RECORDER_API void warpo_event_stream_slow_fuel(warpo_event_stream *stream, uint64_t now,
                                                     int32_t id, uint64_t fuel);

/* Records that the module reached builtin.tracePointFuel(id, fuel) at time `now`. Fuel follows the
 * 8 bytes of the short form and is stored before them, so that an event found in a killed process's
 * buffer is complete. */
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
