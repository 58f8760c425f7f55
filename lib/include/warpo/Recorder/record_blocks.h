/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of the record format `warpo`. Except for blocks of events, each
 * function writes the fields of one rule of the grammar in
 * docs/record-format.md.
 *
 *   warpo_block block = warpo_block_in(bytes, sizeof(bytes));
 *   warpo_begin_phases(&block, 1);
 *   warpo_add_phase(&block, &phase);
 *   size_t size = warpo_finish_block(&block); */
#ifndef WARPO_RECORDER_RECORD_BLOCKS_H
#define WARPO_RECORDER_RECORD_BLOCKS_H

#include "warpo/Recorder/record_encoding.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum warpo_block_kind {
  warpo_block_clock = 1,
  warpo_block_module = 2,
  warpo_block_stream = 3,
  warpo_block_events = 4,
  warpo_block_index = 5,
  warpo_block_end = 6,
  warpo_block_stacks = 7,
  warpo_block_samples = 8,
  warpo_block_phases = 9,
  warpo_block_places = 10,
  warpo_block_offsets = 11,
  warpo_block_switches = 12,
  warpo_block_counts = 13,
  warpo_block_heap = 14,
  warpo_block_linked = 15,
  warpo_block_steps = 16,
} warpo_block_kind;
enum { warpo_last_block_kind = warpo_block_steps };

typedef enum warpo_block_flags { warpo_block_is_compressed = 1 } warpo_block_flags;

/* What precedes a payload. */
typedef struct warpo_block_header {
  uint8_t kind, flags;
  uint32_t size, check;
} warpo_block_header;

/* Writes the header of a block whose payload of `size` bytes directly follows `header`. */
void warpo_frame_block(uint8_t *header, warpo_block_kind kind, uint8_t flags, size_t size);

/* The checksum of a block: over its header's fields and its payload. */
uint32_t warpo_check_block(const uint8_t *header, size_t size);

/* Parses warpo_block_header_size bytes. False if they are not a block's header. */
static inline bool warpo_get_block_header(const uint8_t *bytes, warpo_block_header *header) {
  header->kind = bytes[4];
  header->flags = bytes[5];
  header->size = (uint32_t)warpo_get_fixed(bytes + 8, 4);
  header->check = (uint32_t)warpo_get_fixed(bytes + 12, 4);
  return memcmp(bytes, WARPO_SYNC, warpo_sync_size) == 0;
}

/* A block being assembled in the caller's memory. Bytes beyond the capacity are counted but not
 * stored, so a first pass without memory finds the size that the block needs. */
typedef struct warpo_block {
  uint8_t *bytes;
  size_t capacity;
  size_t size; /* header included, stored or not */
  warpo_block_kind kind;
} warpo_block;

static inline warpo_block warpo_block_in(void *bytes, size_t capacity) {
  warpo_block block = {(uint8_t *)bytes, capacity, 0, (warpo_block_kind)0};
  return block;
}
static inline bool warpo_block_fits(const warpo_block *block) {
  return block->size <= block->capacity;
}
/* Frames the block and returns its size; 0 if it does not fit or exceeds the largest block. Its
 * bytes stay; `size` is 0 until the next block begins. */
size_t warpo_finish_block(warpo_block *block);

/* UTF-8 or a hash; not terminated. */
typedef struct warpo_text {
  const char *bytes;
  size_t size;
} warpo_text;
static inline warpo_text warpo_text_of(const char *bytes, size_t size) {
  warpo_text text = {bytes, size};
  return text;
}
/* NULL is an empty string. */
static inline warpo_text warpo_text_from(const char *string) {
  return warpo_text_of(string, string ? strlen(string) : 0);
}

/* ---- Fields, from which the functions below make blocks ---- */

void warpo_block_bytes(warpo_block *block, const void *bytes, size_t size);

static inline void warpo_block_begin(warpo_block *block, warpo_block_kind kind) {
  block->size = warpo_block_header_size;
  block->kind = kind;
}
static inline void warpo_block_u(warpo_block *block, uint64_t value) {
  uint8_t bytes[warpo_max_u_size];
  warpo_block_bytes(block, bytes, (size_t)(warpo_put_u(bytes, value) - bytes));
}
static inline void warpo_block_u64(warpo_block *block, uint64_t value) {
  uint8_t bytes[8];
  warpo_put_fixed(bytes, value, sizeof(bytes));
  warpo_block_bytes(block, bytes, sizeof(bytes));
}
static inline void warpo_block_text(warpo_block *block, warpo_text text) {
  warpo_block_u(block, text.size);
  warpo_block_bytes(block, text.bytes, text.size);
}

/* ---- Blocks ---- */

typedef struct warpo_clock_fields {
  uint64_t number;
  uint64_t nanoseconds, counts; /* what a count is: their quotient */
  uint64_t origin, wall;        /* the count at the start, and what time it was */
  uint64_t begin, end;          /* what recording one takes, in 1/1024 of a count */
} warpo_clock_fields;
static inline void warpo_begin_clock(warpo_block *block, const warpo_clock_fields *clock,
                                     warpo_text name) {
  warpo_block_begin(block, warpo_block_clock);
  warpo_block_u64(block, clock->number);
  warpo_block_u64(block, clock->nanoseconds);
  warpo_block_u64(block, clock->counts);
  warpo_block_u64(block, clock->origin);
  warpo_block_u64(block, clock->wall);
  warpo_block_u64(block, clock->begin);
  warpo_block_u64(block, clock->end);
  warpo_block_text(block, name);
}

/* `cost`: what a step of the clock takes the thread that records, in 1/1024 of a count. */
static inline void warpo_begin_steps(warpo_block *block, uint64_t number, uint64_t cost) {
  warpo_block_begin(block, warpo_block_steps);
  warpo_block_u64(block, number);
  warpo_block_u64(block, cost);
}

typedef struct warpo_module_fields {
  uint64_t number, id;
  warpo_text name, hash, build;
} warpo_module_fields;
/* To be followed by `functions` functions. */
static inline void warpo_begin_module(warpo_block *block, const warpo_module_fields *module,
                                      uint64_t functions) {
  warpo_block_begin(block, warpo_block_module);
  warpo_block_u(block, module->number);
  warpo_block_u(block, module->id);
  warpo_block_text(block, module->name);
  warpo_block_text(block, module->hash);
  warpo_block_text(block, module->build);
  warpo_block_u(block, functions);
}
static inline void warpo_add_function(warpo_block *block, int32_t id, warpo_text name) {
  warpo_block_u(block, (uint32_t)id);
  warpo_block_text(block, name);
}

/* The linked functions of the module with this number; to be followed by some. */
static inline void warpo_begin_linked(warpo_block *block, uint64_t module) {
  warpo_block_begin(block, warpo_block_linked);
  warpo_block_u(block, module);
}
static inline void warpo_add_linked(warpo_block *block, int32_t id) {
  warpo_block_u(block, warpo_function_code(id));
}

typedef struct warpo_stream_fields {
  uint64_t number, module, thread;
} warpo_stream_fields;
static inline void warpo_begin_stream(warpo_block *block, const warpo_stream_fields *stream,
                                      warpo_text name) {
  warpo_block_begin(block, warpo_block_stream);
  warpo_block_u(block, stream->number);
  warpo_block_u(block, stream->module);
  warpo_block_u(block, stream->thread);
  warpo_block_text(block, name);
}
/* Most bytes of such a block without its name and windows. */
enum { warpo_stream_block_room = warpo_block_header_size + 5 * warpo_max_u_size };

/* The ids of a further module of a stream: its `id` to `id + count - 1` are `first` to `first +
 * count - 1` in the stream's events. */
typedef struct warpo_window {
  uint64_t module; /* its number */
  int32_t id, first;
  uint32_t count;
} warpo_window;
/* After a stream's name, in a record of warpo_version_stacks; to be followed by windows. */
static inline void warpo_begin_windows(warpo_block *block) { warpo_block_u(block, 0); /* flags */ }
static inline void warpo_add_window(warpo_block *block, const warpo_window *window) {
  warpo_block_u(block, window->module);
  warpo_block_u(block, warpo_function_code(window->id));
  warpo_block_u(block, warpo_function_code(window->first));
  warpo_block_u(block, window->count);
}
enum { warpo_max_window_size = 4 * warpo_max_u_size };

/* Where a block of events is. */
typedef struct warpo_index_entry {
  uint64_t offset, stream, first, last;
} warpo_index_entry;
static inline void warpo_begin_index(warpo_block *block, const warpo_index_entry *entries,
                                     size_t count) {
  warpo_block_begin(block, warpo_block_index);
  warpo_block_u(block, count);
  uint64_t offset = 0, time = 0;
  for (size_t i = 0; i < count; ++i) {
    const warpo_index_entry *entry = &entries[i];
    warpo_block_u(block, entry->offset - offset);
    warpo_block_u(block, entry->stream);
    warpo_block_u(block, entry->first - time);
    warpo_block_u(block, entry->last - entry->first);
    offset = entry->offset;
    time = entry->first;
  }
}
/* Most bytes of such a block, and of an entry. */
enum {
  warpo_index_head_size = warpo_block_header_size + warpo_max_u_size,
  warpo_max_index_entry_size = 4 * warpo_max_u_size,
};

enum { warpo_end_block_size = warpo_block_header_size + 3 * 8 };
static inline void warpo_begin_end(warpo_block *block, uint64_t index, uint64_t events,
                                   uint64_t lost) {
  warpo_block_begin(block, warpo_block_end);
  warpo_block_u64(block, index);
  warpo_block_u64(block, events);
  warpo_block_u64(block, lost);
}

/* The stacks that are added have numbers from `first` on. */
static inline void warpo_begin_stacks(warpo_block *block, uint64_t first) {
  warpo_block_begin(block, warpo_block_stacks);
  warpo_block_u(block, first);
}
static inline void warpo_add_stack(warpo_block *block, uint64_t parent, uint64_t module,
                                   int32_t id) {
  warpo_block_u(block, parent);
  warpo_block_u(block, module + 1);
  warpo_block_u(block, warpo_function_code(id));
}
static inline void warpo_add_text_stack(warpo_block *block, uint64_t parent, warpo_text frame) {
  warpo_block_u(block, parent);
  warpo_block_u(block, 0);
  warpo_block_text(block, frame);
}

/* The same for the places of their frames, in a block that precedes theirs. `offset` is in the
 * instrumented module's file or in the original's code; 0: unknown. */
static inline void warpo_begin_offsets(warpo_block *block, uint64_t first) {
  warpo_block_begin(block, warpo_block_offsets);
  warpo_block_u(block, first);
}
static inline void warpo_add_offset(warpo_block *block, uint32_t offset, bool is_original) {
  warpo_block_u(block, offset == 0 ? 0 : 2 * (uint64_t)offset + !is_original);
}

typedef struct warpo_samples_fields {
  uint64_t stream;
  uint64_t due, interval; /* a warpo_sampled_by */
  uint64_t base, fuel;
} warpo_samples_fields;
static inline void warpo_begin_samples(warpo_block *block, const warpo_samples_fields *samples) {
  warpo_block_begin(block, warpo_block_samples);
  warpo_block_u(block, samples->stream);
  warpo_block_u(block, samples->due);
  warpo_block_u(block, samples->interval);
  warpo_block_u64(block, samples->base);
  warpo_block_u64(block, samples->fuel);
}
/* `time` and `fuel`: since the previous sample. */
static inline void warpo_add_sample(warpo_block *block, uint64_t time, uint64_t fuel,
                                    uint64_t stack) {
  warpo_block_u(block, time);
  warpo_block_u(block, fuel);
  warpo_block_u(block, stack);
}
/* To precede such a block: its samples' counts of a clock other than fuel, each since the previous
 * sample. */
static inline void warpo_begin_counts(warpo_block *block, uint64_t stream, uint64_t base,
                                      uint64_t clock) {
  warpo_block_begin(block, warpo_block_counts);
  warpo_block_u(block, stream);
  warpo_block_u64(block, base);
  warpo_block_u(block, clock);
}
static inline void warpo_add_count(warpo_block *block, uint64_t count) {
  warpo_block_u(block, count);
}
/* Most bytes of one more entry: a block with less room is full. */
enum {
  warpo_max_sample_size = 3 * warpo_max_u_size,
  warpo_max_stack_size = 3 * warpo_max_u_size + warpo_max_frame_text,
  warpo_max_offset_size = 5,
};
static inline bool warpo_block_has_room(const warpo_block *block, size_t size) {
  return block->size + size <= block->capacity;
}

typedef struct warpo_phase_fields {
  warpo_text name;
  uint64_t begin, end;
  warpo_text unit;
  uint64_t ticks;
} warpo_phase_fields;
/* To be followed by `count` phases and optionally the run they belong to. */
static inline void warpo_begin_phases(warpo_block *block, uint64_t count) {
  warpo_block_begin(block, warpo_block_phases);
  warpo_block_u(block, count);
}
static inline void warpo_add_phase(warpo_block *block, const warpo_phase_fields *phase) {
  warpo_block_text(block, phase->name);
  warpo_block_u64(block, phase->begin);
  warpo_block_u64(block, phase->end);
  warpo_block_text(block, phase->unit);
  warpo_block_u64(block, phase->ticks);
}
static inline void warpo_add_run(warpo_block *block, warpo_text run) {
  warpo_block_text(block, run);
}

/* From one stack of a thread to another. */
typedef struct warpo_switch_fields {
  warpo_switch_kind kind;
  uint64_t stream, time; /* which runs now, and when by its clock, in counts since the base */
  uint64_t from, at;     /* the same of the one that ran before */
  uint64_t stack;        /* what was open there */
} warpo_switch_fields;
static inline void warpo_begin_switches(warpo_block *block, uint64_t base) {
  warpo_block_begin(block, warpo_block_switches);
  warpo_block_u64(block, base);
}
static inline void warpo_add_switch(warpo_block *block, const warpo_switch_fields *fields) {
  warpo_block_u(block, fields->kind);
  warpo_block_u(block, fields->stream);
  warpo_block_u(block, fields->time);
  warpo_block_u(block, fields->from);
  warpo_block_u(block, fields->at);
  warpo_block_u(block, fields->stack);
}
enum { warpo_max_switch_size = 6 * warpo_max_u_size };

/* Heap events of a stream. */
typedef struct warpo_heap_fields {
  uint64_t stream, interval;
  uint64_t memory; /* or table, of the first events */
  uint64_t base;
  /* All times are multiples of 2^time_shift; less than 64. */
  unsigned time_shift;
} warpo_heap_fields;
typedef struct warpo_heap_event {
  warpo_heap_operation operation;
  uint64_t time, stack, memory;
  uint64_t address, size, old; /* as far as the operation has them */
} warpo_heap_event;
/* The previous entry's values; entries store differences from them. */
typedef struct warpo_heap_base {
  uint64_t time, memory, address;
  /* Differences of times and addresses are stored without this many low bits. */
  unsigned time_shift, shift;
} warpo_heap_base;
typedef struct warpo_heap_place {
  warpo_heap_base base;
  uint64_t stacks[warpo_heap_slots];
} warpo_heap_place;
/* `first` is the event that will be added first. */
void warpo_begin_heap(warpo_block *block, const warpo_heap_fields *fields,
                      const warpo_heap_event *first, warpo_heap_place *place);
/* Whether the event can be added to the block at this place; if not, begin another block. */
bool warpo_heap_event_fits(const warpo_heap_place *place, const warpo_heap_event *event);
/* `place` is the block's; the event's time must not be less than there. */
void warpo_add_heap_event(warpo_block *block, warpo_heap_place *place,
                          const warpo_heap_event *event);
enum { warpo_max_heap_event_size = 8 * warpo_max_u_size };

/* The places of a module's code: the contents of its section `warpo.places`. */
static inline void warpo_put_places(warpo_block *block, uint64_t module, warpo_text contents) {
  warpo_block_begin(block, warpo_block_places);
  warpo_block_u(block, module);
  warpo_block_bytes(block, contents.bytes, contents.size);
}

#ifdef __cplusplus
}
#endif

#endif
