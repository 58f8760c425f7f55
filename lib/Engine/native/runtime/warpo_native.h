/* SPDX-License-Identifier: Apache-2.0 */
/* What a program that wasm2c has made C of, and its host, know of each other.
 *
 * The host (NativeRun.cpp) loads a shared object for each module, which has one symbol,
 * `warpo_native_module_of_this`. In C the module consists of what wasm2c wrote, the glue that
 * GlueWriter.cpp writes for it, and runtime.c. Nothing here depends on the module, and nothing on
 * the types of wasm2c's runtime, which are those of the wabt that is installed.
 */
#ifndef WARPO_NATIVE_H
#define WARPO_NATIVE_H

#include "warpo/Recorder/stack_module.h"

#ifdef __cplusplus
extern "C" {
#endif

struct warpo_native_unit;

/* What the host does for all modules of a program. The functions are called on the program's
 * thread. */
typedef struct warpo_native_host {
  /* Ends the program: none of its functions runs on. */
  __attribute__((noreturn)) void (*trap)(const char *message);
  /* Calls a function of the host; does not return where that ends the program. The arguments and
   * the result are bits. */
  uint64_t (*call)(const void *function, const uint64_t *arguments, uint32_t count, uint8_t *memory,
                   uint64_t memory_size);
  /* A number for a function type, which is letters: equal types have equal numbers, in all modules
   * of the program. */
  uint32_t (*number_type)(const char *letters, uint32_t params, uint32_t results);
  /* Addresses for a memory of any size with what can be added to an address; NULL if there are
   * none. Until committed, an access is a trap. */
  uint8_t *(*reserve_memory)(void);
  /* Makes a part readable and writable, zeros; 0 if there is no memory. */
  int (*commit_memory)(uint8_t *begin, uint64_t size);

  /* builtin.sample, of an instance that has burnt so much. */
  uint64_t (*sample)(const struct warpo_native_unit *unit, uint64_t fuel);

  /* builtin.heap. */
  void (*change_heap)(const struct warpo_native_unit *unit, int32_t operation, double address,
                      double size, double old_address);

  /* builtin.beginSection and builtin.endSection; the memory's bytes, and where in it the name is.
   */
  void (*begin_section)(const struct warpo_native_unit *unit, uint8_t *memory, uint64_t memory_size,
                        uint64_t address, uint64_t size);
  void (*end_section)(const struct warpo_native_unit *unit);

  /* While a function of the host runs: the frame that called it, and the import of the program that
   * it is, or NULL. For a sampler, which reads them in a signal handler of this thread. */
  void *volatile outside_frame;
  const struct warpo_native_import *volatile outside_import;

  /* Where the stack of the program's own functions ends; what lies below is for the host's. */
  uintptr_t stack_limit;

  /* The calls that have begun and not ended: what is told of a trap. Below the first lies an entry
   * that is no call. */
  uint64_t *open_begin;
  uint64_t *open_next;
  uint64_t *open_limit;
  /* Makes room for an open call, where a function begins; `open_limit` may be lower meanwhile, for
   * this to be called. */
  void (*forget_calls)(struct warpo_native_host *host);
  /* Ends a call that is not the innermost open one, if it is open. */
  void (*close_call)(struct warpo_native_host *host, uint64_t call);
} warpo_native_host;

/* What an import of a module gets. */
typedef struct warpo_native_import {
  /* Of a function: another module's code, or a function of the host. */
  const void *code;
  /* What the code is called with, or the memory, table or global that is imported. */
  void *object;
} warpo_native_import;

/* What an instance of a module sees of the rest. */
typedef struct warpo_native_unit {
  warpo_native_host *host;
  /* Where its trace points go, or nowhere. Those with fuel: to the second if it is there, or
   * without a time to the first, or nowhere. */
  warpo_event_stream *events;
  warpo_event_stream *fuel_events;
  /* In a program of several modules that record, in place of both: their common stream. */
  warpo_stack_module *stack;
  /* Its number, in the upper half: what tells its open calls from those of others. */
  uint64_t tag;
  /* In the order of the module's imports. */
  warpo_native_import *imports;
  /* The instance's first memory, a wasm_rt_memory_t; NULL if it has none. */
  void *memory;
} warpo_native_unit;

/* What an export or an import is, apart from functions a pointer of C: `f` function, `i` `l` `g`
 * `d` global number, `r` `x` global reference, `m` memory, `t` `e` table of functions, of other
 * references. */
typedef char warpo_native_kind;

typedef struct warpo_native_export {
  warpo_native_kind kind;
  /* The function; otherwise one that gives the address of what is exported, for an instance. */
  void *code;
  /* Calls the function, arguments and results as bits; NULL where its types have none. */
  void (*call)(void *instance, const uint64_t *arguments, uint64_t *results);
} warpo_native_export;

typedef struct warpo_native_module {
  /* Makes `host` that of all modules in this shared object: before anything else. */
  void (*start)(warpo_native_host *host);
  /* How many bytes an instance takes; zeros at first. */
  uint64_t instance_size;
  /* Runs the start function too. `unit` is in use as long as the instance. */
  void (*instantiate)(void *instance, warpo_native_unit *unit);
  void (*release)(void *instance);
  /* In the order of the module. */
  const warpo_native_kind *import_kinds;
  const warpo_native_export *exports;
  /* Where an instance has a counter, by the number of wasm::Counter; NULL if it has none. */
  uint64_t *(*counter)(void *instance, uint32_t counter);
  /* The bytes of a memory that is exported. */
  uint8_t *(*memory_bytes)(const void *memory, uint64_t *size);
  /* Makes it larger; 0 if that cannot be. */
  int (*grow_memory)(void *memory, uint32_t pages);
} warpo_native_module;

/* A message of warpo_native_host.trap. */
#define WARPO_NATIVE_STACK_EXHAUSTED "call stack exhausted"

/* Records fuel without a time, or what goes to a common stream, where a function call is of no
 * account. */
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
 * there is stack left for what the recorder does now and then. */
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

/* builtin.tracePoint and builtin.tracePointFuel. The bookkeeping lies outside of what is recorded
 * as the call's time. */
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
