/* SPDX-License-Identifier: Apache-2.0 */
/* What JavaScript calls of the record format `warpo`: the encoder of lib/Recorder, as a module that
 * works in the memory in which recorder.wat.in leaves events. */
#include "checkpoint.h"
#include "warpo/Recorder/event_packing.h"
#include "warpo/Recorder/heap_sampler.h"
#include "warpo/Recorder/record_blocks.h"
#include "warpo/Recorder/sample_stream.h"
#include "warpo/Recorder/section.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* ---- Numbers ---- */

typedef struct named_number {
  const char *name;
  int32_t value;
} named_number;

static const named_number numbers[] = {
    {"blockHeaderSize", warpo_block_header_size},
    {"blockStacks", warpo_block_stacks},
    {"causeBufferFull", warpo_loss_buffer_full},
    {"causeLimit", warpo_loss_limit},
    {"causeUnknown", warpo_loss_unknown},
    {"causeWriteFailed", warpo_loss_write_failed},
    {"dueByFuel", WARPO_SAMPLED_BY_FUEL},
    {"dueByTime", WARPO_SAMPLED_BY_TIME},
    {"endSize", warpo_end_block_size},
    {"firstId", warpo_first_id},
    {"firstSectionId", WARPO_FIRST_SECTION_ID},
    {"fuelClock", warpo_clock_fuel},
    {"heapBlockSize", warpo_heap_block_size},
    {"heapMemory", warpo_heap_memory},
    {"heapSlots", warpo_heap_slots},
    {"heapTimeShift", warpo_heap_time_shift},
    {"indexHeadSize", warpo_index_head_size},
    {"maxFrames", warpo_max_frames},
    {"maxFrameText", warpo_max_frame_text},
    {"maxIndexEntrySize", warpo_max_index_entry_size},
    {"maxNumberSize", warpo_max_u_size},
    {"maxOffsetSize", warpo_max_offset_size},
    {"maxPayload", warpo_max_payload},
    {"maxPlaces", WARPO_MAX_PLACES},
    {"maxSampleSize", warpo_max_sample_size},
    {"maxSectionName", WARPO_MAX_SECTION_NAME},
    {"maxSectionNames", WARPO_MAX_SECTION_NAMES},
    {"maxStackSize", warpo_max_stack_size},
    {"maxStacks", warpo_max_stacks},
    {"maxSwitchSize", warpo_max_switch_size},
    {"maxSwitches", warpo_max_switches},
    {"maxWindows", warpo_max_windows},
    {"maxWindowSize", warpo_max_window_size},
    {"namesBlockSize", warpo_names_block_size},
    {"samplesBlockSize", warpo_samples_block_size},
    {"sectionEnd", warpo_section_end_id},
    {"signatureSize", warpo_signature_size},
    {"stacksBlockSize", warpo_stacks_block_size},
    {"suspendedId", WARPO_SUSPENDED_ID},
    {"switchResumes", warpo_switch_resumes},
    {"switchReturns", warpo_switch_returns},
    {"switchStarts", warpo_switch_starts},
    {"switchesBlockSize", warpo_switches_block_size},
    {"timeClock", warpo_clock_time},
    {"trapId", WARPO_TRAP_ID},
    {"unknownIds", warpo_unknown_ids},
    {"unknownMarkedIds", warpo_unknown_marked_ids},
    {NULL, 0},
};

EXPORT(numbers) const named_number *get_numbers(void) { return numbers; }

static const char signature[] = WARPO_SIGNATURE;
EXPORT(signature) const char *get_signature(void) { return signature; }
/* Of version 2: before the first stream with a further module, at the start of the record or
 * between two blocks. */
static const char stack_signature[] = WARPO_STACK_SIGNATURE;
EXPORT(stackSignature) const char *get_stack_signature(void) { return stack_signature; }

/* ---- Blocks ---- */

/* Where JavaScript puts the texts of its next call. NULL without memory. */
EXPORT(textRoom) char *text_room(size_t size) {
  static char *room;
  char *larger = realloc(room, size);
  if (larger)
    room = larger;
  return larger;
}

/* NULL without memory. */
EXPORT(newBlock) warpo_block *new_block(size_t capacity) {
  warpo_block *block = malloc(sizeof(*block));
  void *bytes = malloc(capacity);
  if (block && bytes)
    *block = warpo_block_in(bytes, capacity);
  return bytes ? block : NULL;
}

/* Makes room for so much beside a few numbers. Without memory the block will not fit. */
static warpo_block *with_room(warpo_block *block, size_t size) {
  size_t needed = block->size + size + 128;
  if (needed <= block->capacity)
    return block;
  uint8_t *bytes = realloc(block->bytes, 2 * needed);
  if (bytes) {
    block->bytes = bytes;
    block->capacity = 2 * needed;
  }
  return block;
}

EXPORT(blockSize) size_t block_size(const warpo_block *block) { return block->size; }
EXPORT(blockBytes) const uint8_t *block_bytes(const warpo_block *block) { return block->bytes; }
EXPORT(finishBlock) size_t finish_block(warpo_block *block) { return warpo_finish_block(block); }

EXPORT(clock)
void put_clock(warpo_block *block, uint64_t number, uint64_t nanoseconds, uint64_t counts,
               uint64_t origin, uint64_t wall, uint64_t cost, const char *name, size_t size) {
  const warpo_clock_fields fields = {number, nanoseconds, counts, origin, wall, cost, cost};
  block->size = 0;
  warpo_begin_clock(with_room(block, size), &fields, warpo_text_of(name, size));
}

EXPORT(module)
void put_module(warpo_block *block, uint64_t number, uint64_t id, const char *name,
                size_t name_size, const char *hash, size_t hash_size, const char *build,
                size_t build_size, size_t functions) {
  const warpo_module_fields fields = {number, id, warpo_text_of(name, name_size),
                                      warpo_text_of(hash, hash_size),
                                      warpo_text_of(build, build_size)};
  block->size = 0;
  warpo_begin_module(with_room(block, name_size + hash_size + build_size), &fields, functions);
}

EXPORT(function) void put_function(warpo_block *block, int32_t id, const char *name, size_t size) {
  warpo_add_function(with_room(block, size), id, warpo_text_of(name, size));
}

EXPORT(stream)
void put_stream(warpo_block *block, uint64_t number, uint64_t module, uint64_t thread,
                const char *name, size_t size) {
  const warpo_stream_fields fields = {number, module, thread};
  block->size = 0;
  warpo_begin_stream(with_room(block, size), &fields, warpo_text_of(name, size));
}

/* Further modules of the stream that has just been put. */
EXPORT(windows) void put_windows(warpo_block *block) { warpo_begin_windows(block); }
EXPORT(window)
void put_window(warpo_block *block, uint64_t module, int32_t id, int32_t first, uint32_t count) {
  const warpo_window window = {module, id, first, count};
  warpo_add_window(with_room(block, 0), &window);
}

EXPORT(end)
void put_end(warpo_block *block, uint64_t index, uint64_t events, uint64_t lost) {
  block->size = 0;
  warpo_begin_end(with_room(block, 0), index, events, lost);
}

EXPORT(stacks) void put_stacks(warpo_block *block, uint64_t first) {
  warpo_begin_stacks(block, first);
}
EXPORT(stack) void put_stack(warpo_block *block, uint32_t parent, uint32_t module, int32_t id) {
  warpo_add_stack(block, parent, module, id);
}
EXPORT(textStack)
void put_text_stack(warpo_block *block, uint32_t parent, const char *text, size_t size) {
  warpo_add_text_stack(block, parent, warpo_text_of(text, size));
}

EXPORT(offsets) void put_offsets(warpo_block *block, uint64_t first) {
  warpo_begin_offsets(block, first);
}
EXPORT(offset) void put_offset(warpo_block *block, uint32_t offset, bool is_original) {
  warpo_add_offset(block, offset, is_original);
}

EXPORT(samples)
void put_samples(warpo_block *block, uint64_t stream, uint32_t due, uint64_t interval,
                 uint64_t base, uint64_t fuel) {
  const warpo_samples_fields fields = {stream, due, interval, base, fuel};
  warpo_begin_samples(block, &fields);
}
EXPORT(sample) void put_sample(warpo_block *block, uint64_t time, uint64_t fuel, uint32_t stack) {
  warpo_add_sample(block, time, fuel, stack);
}

EXPORT(switches) void put_switches(warpo_block *block, uint64_t base) {
  warpo_begin_switches(block, base);
}
EXPORT(switch)
void put_switch(warpo_block *block, warpo_switch_kind kind, uint64_t stream, uint64_t time,
                uint64_t from, uint64_t at, uint32_t stack) {
  const warpo_switch_fields fields = {kind, stream, time, from, at, stack};
  warpo_add_switch(block, &fields);
}

/* The block of heap events that is being filled, and what chooses them: a recorder has one of each.
 */
static warpo_heap_place heap_place;
static warpo_heap_sampler heap_sampler;

/* A value that is passed as a number of JavaScript may be 2^64, rounded. */
static uint64_t whole(double number) {
  return number >= 0x1p64 ? UINT64_MAX : number > 0 ? (uint64_t)number : 0;
}

EXPORT(sampleHeap) void sample_heap(double interval, double seed) {
  warpo_heap_sampler_init(&heap_sampler, whole(interval), whole(seed));
}

/* The operation that is to be recorded of such an event, of the old address where it has become a
 * free of that; -1: none. */
EXPORT(chooseHeapEvent)
int32_t choose_heap_event(uint32_t operation, uint32_t memory, double address, double size,
                          double old, bool others_free) {
  warpo_heap_event event = {.operation = (warpo_heap_operation)operation,
                            .memory = memory,
                            .address = whole(address),
                            .size = whole(size),
                            .old = whole(old)};
  return warpo_heap_sampler_takes(&heap_sampler, &event, others_free) ? (int32_t)event.operation
                                                                      : -1;
}

/* The bytes up to the next sample, and a gap to another one. */
EXPORT(heapLeft) double heap_left(void) { return heap_sampler.left; }
EXPORT(setHeapLeft) void set_heap_left(double left) { heap_sampler.left = left; }
EXPORT(heapGap) double heap_gap(void) { return warpo_heap_sampler_gap(&heap_sampler); }

/* As heap-writer.mjs has it. */
typedef struct told_heap_event {
  double operation, time, stack, memory, address, size, old;
} told_heap_event;

/* The first event of a block begins it. Returns how many were added: the next one needs another
 * block. */
EXPORT(heapEvents)
uint32_t put_heap_events(warpo_block *block, uint32_t stream, const told_heap_event *told,
                         uint32_t count, uint32_t time_shift) {
  for (uint32_t done = 0; done < count; ++done) {
    const warpo_heap_event event = {(warpo_heap_operation)told[done].operation,
                                    whole(told[done].time),
                                    whole(told[done].stack),
                                    whole(told[done].memory),
                                    whole(told[done].address),
                                    whole(told[done].size),
                                    whole(told[done].old)};
    if (block->size == 0) {
      const warpo_heap_fields fields = {stream, heap_sampler.interval, event.memory, event.time,
                                        time_shift};
      warpo_begin_heap(block, &fields, &event, &heap_place);
    } else if (!warpo_block_has_room(block, warpo_max_heap_event_size) ||
               !warpo_heap_event_fits(&heap_place, &event)) {
      return done;
    }
    warpo_add_heap_event(block, &heap_place, &event);
  }
  return count;
}

EXPORT(phases) void put_phases(warpo_block *block, size_t count) {
  block->size = 0;
  warpo_begin_phases(with_room(block, 0), count);
}
EXPORT(phase)
void put_phase(warpo_block *block, const char *name, size_t name_size, uint64_t begin, uint64_t end,
               const char *unit, size_t unit_size, uint64_t ticks) {
  const warpo_phase_fields fields = {warpo_text_of(name, name_size), begin, end,
                                     warpo_text_of(unit, unit_size), ticks};
  warpo_add_phase(with_room(block, name_size + unit_size), &fields);
}

/* Where the payload of so many bytes goes that JavaScript puts together by itself. NULL without
 * memory. */
EXPORT(payload) uint8_t *get_payload(warpo_block *block, warpo_block_kind kind, size_t size) {
  block->size = 0;
  with_room(block, size);
  block->kind = kind;
  block->size = warpo_block_header_size + size;
  return warpo_block_fits(block) ? block->bytes + warpo_block_header_size : NULL;
}

/* ---- Streams ---- */

/* As recorder.wat.in stores it. Behind it stands fuel, if the stream has it beside another clock.
 */
typedef struct event {
  union {
    double milliseconds;
    uint64_t fuel;
  } clock;
  int32_t id;
  uint32_t is_loss; /* so many events are missing: `clock` counts them */
  uint64_t fuel[];
} event;

/* Which clock the events of a stream have. */
typedef enum clock_form { clock_time, clock_fuel, clock_none } clock_form;

/* Where the events of this thread wait, as recorder.wat.in says it whenever the halves of its
 * buffer change places. */
typedef struct buffer {
  uint32_t first; /* of the half that is being filled: behind its last event it is 0 */
  uint32_t half_size;
  uint32_t taken;  /* of the other half the events from here on wait, */
  uint32_t filled; /* up to here; 0: none. Whoever takes them sets it to 0 at last */
  double lost;     /* since the last event that was stored; of a ring, all */
} buffer;

static buffer events;
EXPORT(buffer) buffer *get_buffer(void) { return &events; }

typedef struct stream {
  warpo_event_encoder encoder;
  warpo_reading last_read;
  clock_form form;
  uint64_t count;             /* of events, if the clock is not a time */
  uint64_t foreign_fuel;      /* burnt while other stacks ran */
  uint64_t paused_at;         /* in fuel */
  size_t unpublished;         /* bytes of the block that has been finished; 0: none */
  double left_out, unwritten; /* events that the record is yet to say to be missing */
  checkpoint before;
  struct stream *next;
} stream;

/* All of this memory. */
static stream *streams;

/* NULL without memory. `more`: fuel beside the clock. */
EXPORT(newStream) stream *new_stream(uint64_t number, clock_form form, bool more) {
  stream *made = malloc(sizeof(*made));
  if (!made || !warpo_encoder_init(&made->encoder, number, warpo_events_block_size))
    return NULL;
  made->last_read = (warpo_reading){0};
  made->form = form;
  made->count = made->foreign_fuel = made->paused_at = 0;
  made->unpublished = 0;
  made->left_out = made->unwritten = 0;
  made->before = (checkpoint){0};
  if (more)
    warpo_encoder_add_column(&made->encoder, warpo_clock_fuel);
  made->next = streams;
  return streams = made;
}

/* The last stream that was made, and the one before another. */
EXPORT(lastStream) stream *last_stream(void) { return streams; }
EXPORT(streamBefore) stream *stream_before(const stream *of) { return of->next; }
EXPORT(hasFuel) bool has_fuel(const stream *of) { return of->encoder.columns != 0; }
EXPORT(eventSize) size_t event_size(const stream *of) {
  return sizeof(event) + of->encoder.columns * sizeof(uint64_t);
}

/* Goes on with the stream of a thread that has been ended, to finish it. False without memory. */
EXPORT(resume) bool resume(stream *of) {
  return return_to_checkpoint(&of->before, &of->encoder, &of->last_read, &of->count);
}

static inline uint64_t nanoseconds_of(double milliseconds) {
  return (uint64_t)(int64_t)(milliseconds * 1e6 + 0.5);
}

static inline bool is_event(const char *entry) { return ((const event *)entry)->is_loss == 0; }

static inline int32_t read_time(void *of, const char *entry, warpo_reading *read) {
  (void)of;
  read->time = nanoseconds_of(((const event *)entry)->clock.milliseconds);
  return ((const event *)entry)->id;
}
static inline int32_t read_fuel(void *of, const char *entry, warpo_reading *read) {
  read->time = ((const event *)entry)->clock.fuel - ((stream *)of)->foreign_fuel;
  return ((const event *)entry)->id;
}
static inline int32_t read_none(void *of, const char *entry, warpo_reading *read) {
  read->time = ++((stream *)of)->count;
  return ((const event *)entry)->id;
}
static inline int32_t read_time_and_fuel(void *of, const char *entry, warpo_reading *read) {
  read->more[0] = ((const event *)entry)->fuel[0] - ((stream *)of)->foreign_fuel;
  return read_time(of, entry, read);
}
static inline int32_t read_none_and_fuel(void *of, const char *entry, warpo_reading *read) {
  read->more[0] = ((const event *)entry)->fuel[0] - ((stream *)of)->foreign_fuel;
  return read_none(of, entry, read);
}

#define PACK(columns, read)                                                                        \
  warpo_pack_entries(&(const warpo_chunk_form){sizeof(event) + (columns) * sizeof(uint64_t),       \
                                               columns, false, read, is_event},                    \
                     of, &of->encoder, &of->last_read, begin, end)

static const char *pack_some(stream *of, const char *begin, const char *end) {
  const event *first = (const event *)begin;
  warpo_begin_events(&of->encoder, of->form == clock_time
                                       ? nanoseconds_of(first->clock.milliseconds)
                                   : of->form == clock_fuel ? first->clock.fuel - of->foreign_fuel
                                                            : of->count + 1);
  bool has_more = of->encoder.columns != 0;
  switch (of->form) {
  case clock_time:
    return has_more ? PACK(1, read_time_and_fuel) : PACK(0, read_time);
  case clock_fuel:
    return PACK(0, read_fuel);
  case clock_none:
    return has_more ? PACK(1, read_none_and_fuel) : PACK(0, read_none);
  }
  return end;
}

/* What the clock of the stream is at, where this entry stands. */
EXPORT(moment) uint64_t moment(const stream *of, const event *entry) {
  return of->form == clock_time   ? nanoseconds_of(entry->clock.milliseconds)
         : of->form == clock_fuel ? entry->clock.fuel - of->foreign_fuel
                                  : of->count;
}

/* And where its last event stood. */
EXPORT(lastMoment) uint64_t last_moment(const stream *of) { return of->last_read.time; }

/* Another stack runs from here on, where so much fuel has been burnt by all; this one runs again.
 */
EXPORT(pause) void pause_stack(stream *of, uint64_t fuel) { of->paused_at = fuel; }
EXPORT(proceed) void proceed(stream *of, uint64_t fuel) {
  of->foreign_fuel += fuel - of->paused_at;
}

/* `taken`: up to where nothing waits any more; 0: as before. */
static void commit(stream *of, uint32_t taken) {
  if (taken != 0)
    events.taken = taken;
  drop_checkpoint(&of->before);
}

/* Packs events up to another entry, or until the block is full; returns how far it came. `waits`:
 * they stand in the buffer. */
EXPORT(pack) const char *pack(stream *of, const char *begin, const char *end, bool waits) {
  if (begin == end || !is_event(begin))
    return begin;
  set_checkpoint(&of->before, &of->encoder, &of->last_read, of->count);
  const char *next = pack_some(of, begin, end);
  commit(of, waits ? (uint32_t)(uintptr_t)next : 0);
  return next;
}

/* `taken`: see commit(). */
EXPORT(lose)
void lose(stream *of, double time, double count, warpo_loss_cause cause, uint32_t taken) {
  set_checkpoint(&of->before, &of->encoder, &of->last_read, of->count);
  warpo_pack_lost(&of->encoder, (uint64_t)time, (uint64_t)count, cause);
  commit(of, taken);
}

EXPORT(leftOut) double left_out(const stream *of) { return of->left_out; }
EXPORT(setLeftOut) void set_left_out(stream *of, double count) { of->left_out = count; }
EXPORT(unwritten) double unwritten(const stream *of) { return of->unwritten; }
EXPORT(setUnwritten) void set_unwritten(stream *of, double count) { of->unwritten = count; }

EXPORT(isFull) bool is_full(const stream *of) { return warpo_encoder_is_full(&of->encoder); }

/* Frames the block; its size, 0 if none has been begun. It is unpublished until publish() or
 * discard(). */
EXPORT(finishEvents) size_t finish_events(stream *of) {
  size_t size = warpo_encoder_finish(&of->encoder);
  if (size != 0)
    of->unpublished = size;
  return of->unpublished;
}
EXPORT(discard) void discard(stream *of) { of->unpublished = 0; }
EXPORT(eventsBlock) const uint8_t *events_block(const stream *of) { return of->encoder.block; }
EXPORT(eventCount) double event_count(const stream *of) { return (double)of->encoder.events; }

EXPORT(forgetCalls) void forget_calls(stream *of) { warpo_encoder_forget(&of->encoder); }
EXPORT(openCalls) const int32_t *open_calls(const stream *of) { return of->encoder.calls; }
EXPORT(openCount) size_t open_count(const stream *of) { return of->encoder.depth; }

EXPORT(openSections) size_t open_sections(const stream *of) {
  size_t count = 0;
  for (size_t i = 0; i < of->encoder.depth; ++i)
    count += warpo_is_section(of->encoder.calls[i]);
  return count;
}
EXPORT(unendedSections) double unended(const stream *of) {
  return (double)of->encoder.unended_sections;
}
EXPORT(unmatchedSectionEnds) double unmatched(const stream *of) {
  return (double)of->encoder.unmatched_section_ends;
}
EXPORT(meaningless) double meaningless(const stream *of) { return (double)of->encoder.meaningless; }

/* ---- The record ---- */

/* What its end says of it. */
typedef struct record {
  warpo_index_entry *entries;
  size_t size, capacity; /* SIZE_MAX: without memory the index is left out */
  uint64_t offset;       /* where the next block goes */
  uint64_t events;       /* and samples */
  double lost;
} record;

static record *last_record;

EXPORT(newRecord) record *new_record(void) {
  record *made = malloc(sizeof(*made));
  if (made)
    *made = (record){NULL, 0, 0, 0, 0, 0};
  return last_record = made;
}
EXPORT(lastRecord) record *get_last_record(void) { return last_record; }

EXPORT(written) double written(const record *of) { return (double)of->offset; }
EXPORT(writtenEvents) double written_events(const record *of) { return (double)of->events; }
EXPORT(lost) double get_lost(const record *of) { return of->lost; }
EXPORT(setLost) void set_lost(record *of, double lost) { of->lost = lost; }

/* Blocks of events. */
EXPORT(indexed) double indexed(const record *of) {
  return of->size == SIZE_MAX ? 0 : (double)of->size;
}

/* A block of so many samples, or without entries, has been written. */
EXPORT(advance) void advance(record *of, size_t size, double events) {
  of->events += (uint64_t)events;
  of->offset += size;
}

static bool has_room_for_entry(record *to) {
  if (to->size != to->capacity)
    return true;
  size_t capacity = 2 * to->capacity + 64;
  warpo_index_entry *entries = realloc(to->entries, capacity * sizeof(*entries));
  if (!entries)
    return false;
  to->entries = entries;
  to->capacity = capacity;
  return true;
}

static void add_entry(record *to, const warpo_index_entry *entry) {
  bool has_room = to->size != SIZE_MAX && has_room_for_entry(to);
  /* No call from here on: a thread that is ended has done all of it or nothing. */
  if (has_room)
    to->entries[to->size++] = *entry;
  else
    to->size = SIZE_MAX;
}

/* The stream's block, which has just been finished, has been written. */
EXPORT(publish) void publish(record *to, stream *of) {
  const warpo_event_encoder *encoder = &of->encoder;
  const warpo_index_entry entry = {to->offset, encoder->stream, encoder->first_time,
                                   encoder->last_time};
  add_entry(to, &entry);
  to->events += encoder->events;
  to->offset += of->unpublished;
  of->unpublished = 0;
}

/* A block of so many bytes with events of another record has been written; `advance()` counts the
 * events. */
EXPORT(adopt)
void adopt(record *to, size_t size, uint64_t stream, uint64_t first, uint64_t last) {
  const warpo_index_entry entry = {to->offset, stream, first, last};
  add_entry(to, &entry);
  to->offset += size;
}
EXPORT(leaveOutIndex) void leave_out_index(record *of) { of->size = SIZE_MAX; }

/* Everything written since `offset` is not part of the record. */
EXPORT(takeBack) void take_back(record *of, double offset, double events) {
  of->offset = (uint64_t)offset;
  of->events = (uint64_t)events;
  while (of->size != SIZE_MAX && of->size > 0 && of->entries[of->size - 1].offset >= of->offset)
    --of->size;
}

/* False if there is none. */
EXPORT(index) bool put_index(warpo_block *block, const record *from) {
  block->size = 0;
  if (from->size == SIZE_MAX || from->size > warpo_max_payload / 4)
    return false;
  with_room(block, from->size * warpo_max_index_entry_size);
  warpo_begin_index(block, from->entries, from->size);
  return warpo_block_fits(block);
}

/* ---- The thread ---- */

/* Who may work in this memory: js/recorder/thread-gate.mjs. */
EXPORT(gate) uint32_t *get_gate(void) {
  static struct {
    uint32_t state;
    uint32_t pages; /* of the memory, as those who work in it have seen it */
  } gate;
  return &gate.state;
}

/* The thread that takes the events from the buffer, if there is one: js/recorder/drain.mjs. */
EXPORT(drain) double *get_drain(void) {
  static struct {
    double counts[4]; /* of events: written, lostToBuffer, lostToFailure, meaningless */
    uint32_t state;
  } drain;
  return drain.counts;
}
