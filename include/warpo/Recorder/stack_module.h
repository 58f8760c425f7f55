/* SPDX-License-Identifier: Apache-2.0 */
/* Several modules on one thread. A thread has one stack, whatever modules its calls belong to,
 * and so one stream, which every instance joins:
 *
 *   warpo_event_stream *stream = warpo_event_stream_open(recorder, app);
 *   warpo_stack_module *in_app = warpo_event_stream_join(stream, app);
 *   warpo_stack_module *in_lib = warpo_event_stream_join(stream, lib);
 *   ... warpo_trace_stack_event(in_lib, id) wherever that calls builtin.tracePoint(id) ...
 *   warpo_event_stream_close(stream); // releases both
 *
 * Calls between modules then nest in the record. Use a stream per instance, as in trace_point.h,
 * for a program of one module.
 *
 * Modules use the same ids, so the ids of all but the first are shifted. By how much depends on
 * the number of ids: call warpo_recorder_add_module, and warpo_recorder_expect_marks if needed,
 * first. */
#ifndef WARPO_RECORDER_STACK_MODULE_H
#define WARPO_RECORDER_STACK_MODULE_H

#include "warpo/Recorder/event_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An instance on a stream. Private: read it only through the functions below. */
typedef struct warpo_stack_module {
  warpo_event_stream *stream;
  uint32_t first, count; /* of its ids those that are known */
  uint32_t delta;        /* what is added to them */
  uint8_t has_fuel;      /* the stream's entries have a place for it, */
  uint8_t is_timeless;   /* and it is their time */
  uint64_t fuel;         /* what the instance had burnt last */
  uint64_t *total;       /* and all instances on the stream */
} warpo_stack_module;

/* Declares that the ids of a module's trace points have marks beside the functions' ids: it was
 * instrumented with `call-kinds`. Returns 0 or an errno: ENOMEM. */
WARPO_RECORDER_API int warpo_recorder_expect_marks(warpo_recorder *recorder, uint64_t module);

/* Declares that these `count` functions of a module, by their ids, are imported from other modules
 * whose calls are recorded: tools show a call of both as one call. Not for functions of the host
 * that call such a function in turn. May be called again with others. Returns 0 or an errno: EINVAL
 * if no function of an instrumented module has the id, ENOTSUP with WARPO_FORMAT_WARP, which cannot
 * store it, ENOMEM. */
WARPO_RECORDER_API int warpo_recorder_link(warpo_recorder *recorder, uint64_t module,
                                           const int32_t *ids, size_t count);

/* Adds an instance to a stream of its thread; there may be several of the same module. The result
 * is released with the stream. NULL only if `stream` is NULL or there is no memory (ENOMEM). If the
 * record has no room to declare its ids, all of them are recorded as meaningless. With
 * WARPO_FORMAT_WARP no other open stream may have the module (EBUSY). */
WARPO_RECORDER_API warpo_stack_module *warpo_event_stream_join(warpo_event_stream *stream,
                                                               uint64_t module);

/* The id that a trace point has in the stream; 0 for one that the module cannot have. */
static inline int32_t warpo_stack_id(const warpo_stack_module *module, int32_t id) {
  uint32_t sign = (uint32_t)(id >> 31);
  uint32_t positive = ((uint32_t)id ^ sign) - sign;
  if (__builtin_expect(positive - module->first >= module->count, 0))
    return id == WARPO_TRAP_ID || positive - WARPO_RECORDING_ID < 2 ? id : 0;
  return (int32_t)(((positive + module->delta) ^ sign) - sign);
}

/* What all instances of the stream have burnt once this one has burnt `fuel`. */
static inline uint64_t warpo_stack_fuel(warpo_stack_module *module, uint64_t fuel) {
  *module->total += fuel - module->fuel;
  module->fuel = fuel;
  return *module->total;
}

/* Records that the module reached builtin.tracePoint(id) now, on any kind of stream. */
static inline void warpo_trace_stack_event(warpo_stack_module *module, int32_t id) {
  if (!module)
    return;
  id = warpo_stack_id(module, id);
  if (!module->has_fuel)
    warpo_trace_event_at(module->stream, module->is_timeless ? *module->total : warpo_clock(), id);
  else
    warpo_trace_event_fuel_at(module->stream, module->is_timeless ? 0 : warpo_clock(), id,
                              *module->total);
}

/* The same for builtin.tracePointFuel(id, fuel), `fuel` as the instance counts it. */
static inline void warpo_trace_stack_event_fuel(warpo_stack_module *module, int32_t id,
                                                uint64_t fuel) {
  if (module)
    warpo_stack_fuel(module, fuel);
  warpo_trace_stack_event(module, id);
}

#ifdef __cplusplus
}
#endif

#endif
