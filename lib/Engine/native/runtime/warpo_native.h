/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the host and programs that wasm2c has translated to C.
 *
 * The host (NativeRun.cpp) loads a shared object for each module, which has one symbol,
 * `warpo_native_module_of_this`. The module in C consists of wasm2c's output, the glue of
 * GlueWriter.cpp, and runtime.c. Nothing here depends on the module, nor on the types of wasm2c's
 * runtime, which are those of the installed wabt.
 */
#ifndef WARPO_NATIVE_H
#define WARPO_NATIVE_H

#include "warpo/Recorder/stack_module.h"

#ifdef __cplusplus
extern "C" {
#endif

struct warpo_native_unit;

/* The services of the host for all modules of a program. The functions are called on the program's
 * thread. */
typedef struct warpo_native_host {
  /* Ends the program: none of its functions continues. */
  __attribute__((noreturn)) void (*trap)(const char *message);
  /* Calls a function of the host; does not return if that ends the program. The arguments and the
   * result are bits. */
  uint64_t (*call)(const void *function, const uint64_t *arguments, uint32_t count, uint8_t *memory,
                   uint64_t memory_size);
  /* The number of a function type, which is given as letters. Equal types have equal numbers in all
   * modules of the program. */
  uint32_t (*number_type)(const char *letters, uint32_t params, uint32_t results);
  /* Reserves addresses for a memory of any size, including all offsets of instructions; NULL if
   * there is no address space. Until committed, an access traps. */
  uint8_t *(*reserve_memory)(void);
  /* Makes a part readable and writable, filled with zeros; 0 if there is no memory. */
  int (*commit_memory)(uint8_t *begin, uint64_t size);

  /* builtin.sample; `fuel` is what the instance has used. */
  uint64_t (*sample)(const struct warpo_native_unit *unit, uint64_t fuel);

  /* builtin.heap. */
  void (*change_heap)(const struct warpo_native_unit *unit, int32_t operation, double address,
                      double size, double old_address);

  /* builtin.beginSection and builtin.endSection. The name is at `address` in the memory. */
  void (*begin_section)(const struct warpo_native_unit *unit, uint8_t *memory, uint64_t memory_size,
                        uint64_t address, uint64_t size);
  void (*end_section)(const struct warpo_native_unit *unit);

  /* While a function of the host runs: the frame that called it, and its import in the program, or
   * NULL. For a sampler, which reads them in a signal handler on this thread. */
  void *volatile outside_frame;
  const struct warpo_native_import *volatile outside_import;

  /* The end of the stack for the program's own functions; the rest below is for the host's. */
  uintptr_t stack_limit;

  /* The open calls, which are reported at a trap. The entry below the first is not a call. */
  uint64_t *open_begin;
  uint64_t *open_next;
  uint64_t *open_limit;
  /* Makes room for an open call when a function begins. Another thread may lower `open_limit` to
   * have this called. */
  void (*forget_calls)(struct warpo_native_host *host);
  /* Ends a call that is not the innermost open one, if it is open. */
  void (*close_call)(struct warpo_native_host *host, uint64_t call);
} warpo_native_host;

/* A resolved import. */
typedef struct warpo_native_import {
  /* For a function: another module's code, or a function of the host. */
  const void *code;
  /* The first argument for the code, or the imported memory, table or global. */
  void *object;
} warpo_native_import;

/* An instance's view of the rest. */
typedef struct warpo_native_unit {
  warpo_native_host *host;
  /* The streams of its trace points; NULL if they are not recorded. Trace points with fuel go to
   * `fuel_events` or, if that is NULL, without times to `events`. */
  warpo_event_stream *events;
  warpo_event_stream *fuel_events;
  /* Used instead of both if several modules of the program record: their common stream. */
  warpo_stack_module *stack;
  /* The unit's number in the upper half, which distinguishes its open calls from others. */
  uint64_t tag;
  /* In the order of the module's imports. */
  warpo_native_import *imports;
  /* The instance's first memory, a wasm_rt_memory_t; NULL if it has none. */
  void *memory;
} warpo_native_unit;

/* The kind of an export or an import; all but functions are pointers in C: `f` function, `i` `l`
 * `g` `d` global number, `r` `x` global reference, `m` memory, `t` `e` table of functions or of
 * other references. */
typedef char warpo_native_kind;

typedef struct warpo_native_export {
  warpo_native_kind kind;
  /* The function; for other exports, a function that returns the address for an instance. */
  void *code;
  /* Calls the function with arguments and results as bits; NULL if its types are not numbers. */
  void (*call)(void *instance, const uint64_t *arguments, uint64_t *results);
} warpo_native_export;

typedef struct warpo_native_module {
  /* Sets the host of this shared object; to be called before anything else. */
  void (*start)(warpo_native_host *host);
  /* The bytes of an instance, which must be zeros at first. */
  uint64_t instance_size;
  /* Also runs the start function. `unit` must outlive the instance. */
  void (*instantiate)(void *instance, warpo_native_unit *unit);
  void (*release)(void *instance);
  /* In the order of the module. */
  const warpo_native_kind *import_kinds;
  const warpo_native_export *exports;
  /* The address of a counter, by the number of wasm::Counter; NULL if there is none. */
  uint64_t *(*counter)(void *instance, uint32_t counter);
  /* The bytes of an exported memory. */
  uint8_t *(*memory_bytes)(const void *memory, uint64_t *size);
  /* Grows an exported memory; 0 if that is not possible. */
  int (*grow_memory)(void *memory, uint32_t pages);
} warpo_native_module;

/* A message of warpo_native_host.trap. */
#define WARPO_NATIVE_STACK_EXHAUSTED "call stack exhausted"

/* Record fuel without a time, or to a common stream: cases in which a function call does not
 * matter. */
void warpo_native_record_fuel(const warpo_native_unit *unit, int32_t id, uint64_t fuel);
void warpo_native_record_on_stack(const warpo_native_unit *unit, int32_t id);

#define WARPO_NATIVE_INLINE static inline __attribute__((always_inline))

WARPO_NATIVE_INLINE void warpo_native_record_event(const warpo_native_unit *unit, int32_t id) {
  if (__builtin_expect(unit->events != NULL, 1))
    warpo_trace_event_at(unit->events, warpo_clock(), id);
  else if (unit->stack != NULL)
    warpo_native_record_on_stack(unit, id);
}

WARPO_NATIVE_INLINE void warpo_native_record_fuel_event(const warpo_native_unit *unit, int32_t id,
                                                        uint64_t fuel) {
  if (__builtin_expect(unit->fuel_events != NULL, 1))
    warpo_trace_event_fuel_at(unit->fuel_events, warpo_clock(), id, fuel);
  else
    warpo_native_record_fuel(unit, id, fuel);
}

/* The bookkeeping of open calls. A function that begins near the end of the stack traps, so that
 * enough stack is left for the rare work of the recorder. */
WARPO_NATIVE_INLINE void warpo_native_begin_call(const warpo_native_unit *unit, int32_t id) {
  warpo_native_host *host = unit->host;
  char here;
  if (__builtin_expect((uintptr_t)&here < host->stack_limit, 0))
    host->trap(WARPO_NATIVE_STACK_EXHAUSTED);
  if (__builtin_expect(host->open_next >= host->open_limit, 0))
    host->forget_calls(host);
  *host->open_next++ = unit->tag | (uint32_t)id;
}

WARPO_NATIVE_INLINE void warpo_native_end_call(const warpo_native_unit *unit, int32_t id) {
  warpo_native_host *host = unit->host;
  uint64_t call = unit->tag | (0 - (uint32_t)id);
  if (__builtin_expect(host->open_next[-1] == call, 1))
    --host->open_next;
  else
    host->close_call(host, call);
}

/* builtin.tracePoint and builtin.tracePointFuel. The recorded time of the call does not include the
 * bookkeeping. */
WARPO_NATIVE_INLINE void warpo_native_trace_point(const warpo_native_unit *unit, int32_t id) {
  if (id > 0)
    warpo_native_begin_call(unit, id);
  warpo_native_record_event(unit, id);
  if (id <= 0)
    warpo_native_end_call(unit, id);
}

WARPO_NATIVE_INLINE void warpo_native_trace_point_fuel(const warpo_native_unit *unit, int32_t id,
                                                       uint64_t fuel) {
  if (id > 0)
    warpo_native_begin_call(unit, id);
  warpo_native_record_fuel_event(unit, id, fuel);
  if (id <= 0)
    warpo_native_end_call(unit, id);
}

#ifdef __cplusplus
}
#endif

#endif
