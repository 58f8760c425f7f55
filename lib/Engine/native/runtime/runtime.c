/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime for wasm2c's C, implemented with the host: compiled for each module with the
 * wasm-rt.h of the installed wabt. Memories are in reserved address ranges, so that only bulk
 * operations check bounds; the host turns a fault into a trap.
 */
#include "warpo_native.h"
#include "wasm-rt.h"
#include <stdarg.h>

enum { pageSize = 1 << 16, maxPages = (1 << 16) - 1 };

/* The limit of browsers: a table that grows is filled, which takes memory. */
enum { maxTableSize = 10000000 };

static warpo_native_host *host;

void warpo_native_start(warpo_native_host *new_host) { host = new_host; }

void wasm_rt_trap(wasm_rt_trap_t code) {
  switch (code) {
  case WASM_RT_TRAP_OOB:
    host->trap("out of bounds access of a memory or a table");
  case WASM_RT_TRAP_INT_OVERFLOW:
    host->trap("integer overflow");
  case WASM_RT_TRAP_DIV_BY_ZERO:
    host->trap("integer divide by zero");
  case WASM_RT_TRAP_INVALID_CONVERSION:
    host->trap("invalid conversion to integer");
  case WASM_RT_TRAP_UNREACHABLE:
    host->trap("unreachable executed");
  case WASM_RT_TRAP_CALL_INDIRECT:
    host->trap("indirect call of no function, or of one of another type");
  default:
    host->trap("a trap that this engine does not know");
  }
}

void warpo_native_record_fuel(const warpo_native_unit *unit, int32_t id, uint64_t fuel) {
  if (unit->events)
    warpo_trace_event_fuel_at(unit->events, /*now=*/0, id, fuel);
  else
    warpo_trace_stack_event_fuel(unit->stack, id, fuel);
}

void warpo_native_record_on_stack(const warpo_native_unit *unit, int32_t id) {
  warpo_trace_stack_event(unit->stack, id);
}

static void check_stack(void) {
  char here;
  if ((uintptr_t)&here < host->stack_limit)
    host->trap(WARPO_NATIVE_STACK_EXHAUSTED);
}

uint64_t warpo_native_sample(const warpo_native_unit *unit, uint64_t fuel) {
  check_stack();
  return host->sample(unit, fuel);
}

void warpo_native_begin_section(const warpo_native_unit *unit, uint32_t address, uint32_t size) {
  check_stack();
  const wasm_rt_memory_t *memory = unit->memory;
  host->begin_section(unit, memory ? memory->data : NULL, memory ? memory->size : 0, address, size);
}

void warpo_native_end_section(const warpo_native_unit *unit) {
  check_stack();
  host->end_section(unit);
}

/* Code of the host cannot be unwound: a sampler continues from the frame here that calls it. */
#define LEAVE(import)                                                                              \
  do {                                                                                             \
    host->outside_import = (import);                                                               \
    host->outside_frame = __builtin_frame_address(0);                                              \
  } while (0)
#define COME_BACK() (host->outside_frame = NULL)

uint64_t warpo_native_call(const warpo_native_unit *unit, uint32_t import,
                           const uint64_t *arguments, uint32_t count) {
  check_stack();
  const wasm_rt_memory_t *memory = unit->memory;
  LEAVE(&unit->imports[import]);
  uint64_t result = host->call(unit->imports[import].code, arguments, count,
                               memory ? memory->data : NULL, memory ? memory->size : 0);
  COME_BACK();
  return result;
}

uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...) {
  char letters[params + results + 1];
  va_list types;
  va_start(types, results);
  for (uint32_t i = 0; i < params + results; ++i)
    letters[i] = (char)('a' + va_arg(types, int));
  va_end(types);
  return host->number_type(letters, params, results);
}

uint32_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint32_t pages) {
  uint32_t before = memory->pages;
  if (pages > memory->max_pages - before)
    return UINT32_MAX;
  LEAVE(NULL);
  int is_there =
      pages == 0 || host->commit_memory(memory->data + memory->size, (uint64_t)pages * pageSize);
  COME_BACK();
  if (!is_there)
    return UINT32_MAX;
  memory->pages += pages;
  memory->size = memory->pages * pageSize;
  return before;
}

/* wasm2c has 32 bits for the bytes of a memory, so the last of 65536 pages is not available. */
void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages) {
  memory->data = host->reserve_memory();
  memory->pages = memory->size = 0;
  memory->max_pages = max_pages < maxPages ? max_pages : maxPages;
  if (!memory->data || pages > memory->max_pages ||
      wasm_rt_grow_memory(memory, pages) == UINT32_MAX)
    host->trap("there is no room for a memory of the module");
}

uint8_t *warpo_native_memory_bytes(const void *of, uint64_t *size) {
  const wasm_rt_memory_t *memory = of;
  *size = memory->size;
  return memory->data;
}

int warpo_native_grow_memory(void *memory, uint32_t pages) {
  return wasm_rt_grow_memory(memory, pages) != UINT32_MAX;
}

/* The host releases all memories at the program's end. */
void wasm_rt_free_memory(wasm_rt_memory_t *memory) { (void)memory; }

#define DEFINE_TABLE(type)                                                                         \
  void wasm_rt_allocate_##type##_table(wasm_rt_##type##_table_t *table, uint32_t size,             \
                                       uint32_t max_size) {                                        \
    table->data = size <= maxTableSize ? calloc(size + 1, sizeof *table->data) : NULL;             \
    if (!table->data)                                                                              \
      host->trap("there is no room for a table of the module");                                    \
    table->size = size;                                                                            \
    table->max_size = max_size < maxTableSize ? max_size : maxTableSize;                           \
  }                                                                                                \
  void wasm_rt_free_##type##_table(wasm_rt_##type##_table_t *table) { free(table->data); }         \
  uint32_t wasm_rt_grow_##type##_table(wasm_rt_##type##_table_t *table, uint32_t count,            \
                                       wasm_rt_##type##_t value) {                                 \
    uint32_t before = table->size;                                                                 \
    if (count == 0)                                                                                \
      return before;                                                                               \
    if (count > table->max_size - before)                                                          \
      return UINT32_MAX;                                                                           \
    LEAVE(NULL);                                                                                   \
    void *data = reallocarray(table->data, before + count, sizeof *table->data);                   \
    COME_BACK();                                                                                   \
    if (!data)                                                                                     \
      return UINT32_MAX;                                                                           \
    table->data = data;                                                                            \
    for (uint32_t i = before; i < before + count; ++i)                                             \
      table->data[i] = value;                                                                      \
    table->size = before + count;                                                                  \
    return before;                                                                                 \
  }

DEFINE_TABLE(funcref)
DEFINE_TABLE(externref)
