/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the record format `warpo`, shared by writers and readers in C, C++
 * and JavaScript. docs/record-format.md explains them.
 *
 * record_blocks.h and event_encoder.h write blocks, event_packing.h reads chunks.
 * None of the four writes a file or calls the system, so they also run in
 * WebAssembly. */
#ifndef WARPO_RECORDER_RECORD_ENCODING_H
#define WARPO_RECORDER_RECORD_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For work done at each event, where a compiler that does not inline costs a fifth. */
#define WARPO_ALWAYS_INLINE static inline __attribute__((always_inline))

/* ---- The format ---- */

#define WARPO_SIGNATURE "\x89WARPO\x01"
/* Of a record that has streams of several modules, from this place on. */
#define WARPO_STACK_SIGNATURE "\x89WARPO\x02"
#define WARPO_SYNC "WBLK"
/* The name of the fuel clock, optionally followed by a colon and the name of its costs. */
#define WARPO_FUEL_CLOCK "fuel"

enum {
  warpo_signature_size = 8, /* the terminating zero of WARPO_SIGNATURE counts additions */
  warpo_version_offset = 6, /* in the signature; additions stand behind it */
  warpo_version_plain = 1,
  warpo_version_stacks = 2, /* a stream may have further modules */
  warpo_sync_size = 4,
  warpo_block_header_size = 16,
  warpo_max_payload = 1 << 24,
  /* The first id that instrumenting assigns. */
  warpo_first_id = 0x1000000,
  /* Most open calls that writers and readers track. */
  warpo_max_known_calls = 1 << 16,
  warpo_hash_size = 32,
  /* Most bytes of a number in LEB128. */
  warpo_max_u_size = 10,
};

typedef enum warpo_special {
  warpo_special_end = 1,
  warpo_special_lost = 2,
  /* 3 and 4 are unassigned. */
  warpo_special_back = 5,
} warpo_special;

/* Why the thread switches to another stack here. */
typedef enum warpo_switch_kind {
  warpo_switch_starts = 0,
  warpo_switch_resumes = 1,
  warpo_switch_returns = 2,
} warpo_switch_kind;
enum { warpo_last_switch_kind = warpo_switch_returns };

/* The operation of an entry of a block `heap`, in its lowest bits. */
typedef enum warpo_heap_operation {
  warpo_heap_allocate = 0,
  warpo_heap_free = 1,
  warpo_heap_reallocate = 2,
  warpo_heap_grow = 3,
  /* Not an event: the entries that follow belong to another memory or table. */
  warpo_heap_memory = 4,
  warpo_heap_grow_table = 5,
} warpo_heap_operation;
enum {
  warpo_heap_operation_bits = 3,
  /* Stacks that a block of heap events names by one byte. */
  warpo_heap_slots = 127,
  /* Times of heap events are rounded down to multiples of 2^this, unless threads share memories. */
  warpo_heap_time_shift = 8,
};

typedef enum warpo_loss_cause {
  warpo_loss_unknown = 0,
  warpo_loss_buffer_full = 1,
  warpo_loss_limit = 2,
  warpo_loss_write_failed = 3,
  warpo_loss_process_ended = 4,
} warpo_loss_cause;

/* Numbers of clocks. */
enum { warpo_clock_time = 0, warpo_clock_fuel = 1 };

/* ---- Limits that writers observe and readers may rely on ---- */

enum {
  warpo_max_modules = 1 << 16,
  warpo_max_streams = 1 << 16,
  /* Most windows of a stream's further modules. */
  warpo_max_windows = 4096,
  /* The ids reserved for a stream's first module if its functions are unknown, without and with
   * marks in its ids. */
  warpo_unknown_ids = 1 << 20,
  warpo_unknown_marked_ids = 1 << 22,
  warpo_max_phases = 1 << 16,
  warpo_max_clocks = 256,
  warpo_max_stacks = 1 << 20,
  warpo_max_switches = 1 << 22,
  /* Most frames of a sample's stack; innermost frames of deeper ones are cut. */
  warpo_max_frames = 1 << 16,
  /* Most bytes of the text of a frame that is not a function. */
  warpo_max_frame_text = 1024,
  /* Deeper stacks are not repeated at the start of a block of events. */
  warpo_max_context_calls = 256,
};

/* The size at which a writer ends a block, so that damage costs little. */
enum {
  warpo_events_block_size = 1 << 16,
  warpo_samples_block_size = 1 << 14,
  warpo_stacks_block_size = 1 << 16,
  warpo_switches_block_size = 1 << 14,
  warpo_heap_block_size = 1 << 16,
  /* Names of functions in one block of a module. */
  warpo_names_block_size = 1 << 20,
};

/* ---- Parts of blocks ---- */

/* CRC-32C (Castagnoli) of `bytes`, continuing `crc`; start with 0. Takes 0.4 cycles a byte with SSE
 * 4.2, else 2. */
uint32_t warpo_crc32c(uint32_t crc, const void *bytes, size_t size);

static inline uint64_t warpo_get_fixed(const uint8_t *at, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= (uint64_t)at[i] << (8 * i);
  return value;
}

static inline uint8_t *warpo_put_u(uint8_t *at, uint64_t value) {
  while (value >= 0x80) {
    *at++ = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  *at++ = (uint8_t)value;
  return at;
}
static inline uint8_t *warpo_put_fixed(uint8_t *at, uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    *at++ = (uint8_t)(value >> (8 * i));
  return at;
}
static inline uint8_t *warpo_put_text(uint8_t *at, const char *text, size_t size) {
  at = warpo_put_u(at, size);
  if (size > 0)
    memcpy(at, text, size);
  return at + size;
}

/* Maps signed numbers to unsigned ones: 0, -1, 1, -2, ... */
static inline uint64_t warpo_zigzag(uint64_t difference) {
  return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}
static inline uint64_t warpo_unzigzag(uint64_t code) { return code >> 1 ^ (0 - (code & 1)); }

/* The number of a function in events, never 0. `id` is positive. */
static inline uint32_t warpo_function_code(int32_t id) {
  return (((uint32_t)id - warpo_first_id) & 0x7fffffff) + 1;
}
/* The id for such a number, at most this; 0 if no function has it. */
#define WARPO_MAX_FUNCTION_CODE 0x80000000u
static inline int32_t warpo_function_id(uint32_t code) {
  return (int32_t)((code - 1 + warpo_first_id) & 0x7fffffff);
}

#ifdef __cplusplus
}
#endif

#endif
