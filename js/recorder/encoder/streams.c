/* SPDX-License-Identifier: Apache-2.0 */
/* Packs the events that trace points stored into blocks, one stream at a time. */
#include "streams.h"
#include "exports.h"
#include "warpo/Recorder/section.h"

#include <stdlib.h>
#include <string.h>

/* As recorder.wat.in stores it. */
typedef struct event {
  int32_t id;
  uint32_t kind; /* 0 for an event, else another entry: see marks.mjs */
  /* Time, then fuel, if the stream has them. */
  union {
    double milliseconds;
    uint64_t fuel;
  } clocks[];
} event;

/* The event buffer of this thread. recorder.wat.in updates it whenever it swaps the buffer's
 * halves. */
typedef struct buffer {
  uint32_t first; /* of the half that is being filled; what is stored there ends at `next` */
  uint32_t half_size;
  uint32_t taken;  /* the unpacked events of the other half begin here */
  uint32_t filled; /* and end here; 0: none. Set to 0 when all of them have been packed */
  double lost;     /* events lost since the last stored one; in a ring, all lost ones */
  double time;     /* of the last mark of a time before `taken`, in milliseconds */
} buffer;

static buffer events;
EXPORT(buffer) buffer *get_buffer(void) { return &events; }

/* All streams of this memory. */
static stream *streams;

static bool is_time(const stream *of) { return of->form == clock_time || of->form == clock_marked; }

/* Makes a stream; NULL without memory. `more`: it has fuel beside the clock. */
EXPORT(newStream) stream *new_stream(uint64_t number, clock_form form, bool more) {
  stream *made = malloc(sizeof(*made));
  if (!made || !warpo_encoder_init(&made->encoder, number, warpo_events_block_size))
    return NULL;
  made->last_read = (warpo_reading){0};
  made->form = form;
  made->foreign_fuel = made->paused_at = 0;
  made->unpublished = 0;
  made->left_out = made->unwritten = made->packed = 0;
  made->before = (checkpoint){0};
  memset(made->starts, 0, sizeof(made->starts));
  made->watches_traps = false;
  made->left_calls = made->twin_modules = made->met_twins = 0;
  if (more)
    warpo_encoder_add_column(&made->encoder, warpo_clock_fuel);
  made->next = streams;
  return streams = made;
}

/* The most recent stream, and the one made before a given stream. */
EXPORT(lastStream) stream *last_stream(void) { return streams; }
EXPORT(streamBefore) stream *stream_before(const stream *of) { return of->next; }
EXPORT(hasFuel) bool has_fuel(const stream *of) { return of->encoder.columns != 0; }
static bool is_short(const stream *of) {
  return of->form == clock_marked || (of->form == clock_none && of->encoder.columns == 0);
}
EXPORT(eventSize) size_t event_size(const stream *of) {
  if (is_short(of))
    return short_event_size;
  return sizeof(event) + ((of->form != clock_none) + of->encoder.columns) * sizeof(uint64_t);
}

/* Continues the stream of a terminated thread, to finish it. False without memory. */
EXPORT(resume) bool resume(stream *of) {
  return return_to_checkpoint(&of->before, &of->encoder, &of->last_read);
}

EXPORT(isFull) bool is_full(const stream *of) { return warpo_encoder_is_full(&of->encoder); }

static inline uint64_t nanoseconds_of(double milliseconds) {
  return (uint64_t)(int64_t)(milliseconds * 1e6 + 0.5);
}

static inline bool is_event(const char *entry) { return ((const event *)entry)->kind == 0; }
static inline int32_t short_id(const char *entry) { return *(const int32_t *)entry; }
static inline bool is_short_event(const char *entry) { return short_id(entry) != short_escape; }
/* Whether an entry that is no short event is the mark of a time. It may end behind `end`. */
static inline bool is_time_mark(const char *entry, const char *end) {
  return end - entry >= short_mark_size && ((const uint32_t *)entry)[1] - first_time < times;
}
static inline double time_of_mark(const char *entry) {
  const uint32_t *words = (const uint32_t *)entry;
  uint64_t bits = (uint64_t)words[1] << 32 | words[2];
  double time;
  memcpy(&time, &bits, sizeof(time));
  return time;
}

static inline int32_t read_time(void *of, const char *entry, warpo_reading *read) {
  (void)of;
  read->time = nanoseconds_of(((const event *)entry)->clocks[0].milliseconds);
  return ((const event *)entry)->id;
}
static inline int32_t read_marked(void *time, const char *entry, warpo_reading *read) {
  read->time = *(const uint64_t *)time;
  return short_id(entry);
}
static inline int32_t read_fuel(void *of, const char *entry, warpo_reading *read) {
  read->time = ((const event *)entry)->clocks[0].fuel - ((stream *)of)->foreign_fuel;
  return ((const event *)entry)->id;
}
/* The clock counts the entries. */
static inline int32_t read_short(void *of, const char *entry, warpo_reading *read) {
  (void)of;
  ++read->time;
  return short_id(entry);
}
static inline int32_t read_time_and_fuel(void *of, const char *entry, warpo_reading *read) {
  read->more[0] = ((const event *)entry)->clocks[1].fuel - ((stream *)of)->foreign_fuel;
  return read_time(of, entry, read);
}
static inline int32_t read_none_and_fuel(void *of, const char *entry, warpo_reading *read) {
  ++read->time;
  read->more[0] = ((const event *)entry)->clocks[0].fuel - ((stream *)of)->foreign_fuel;
  return ((const event *)entry)->id;
}

#define PACK_FORM(size, columns, read, is_event)                                                   \
  warpo_pack_entries(&(const warpo_chunk_form){size, columns, read, is_event}, of, &of->encoder,   \
                     &of->last_read, begin, end)
#define PACK(clocks, columns, read)                                                                \
  PACK_FORM(sizeof(event) + (clocks) * sizeof(uint64_t), columns, read, is_event)

/* From the buffer, with the marks of times between the events; `time` is that of the first one. */
static const char *pack_marked(stream *of, const char *at, const char *end, double *time) {
  const ptrdiff_t window = 512 * short_event_size;
  const char *fetched = at;
  while (at != end && !is_full(of)) {
    if (is_short_event(at)) {
      if (at >= fetched) {
        fetched = end - at > window ? at + window : end;
        warpo_fetch(at, fetched);
      }
      const char *begin = at;
      uint64_t nanoseconds = nanoseconds_of(*time);
      warpo_begin_events(&of->encoder, nanoseconds);
      at = warpo_pack_range(
          &(const warpo_chunk_form){short_event_size, 0, read_marked, is_short_event}, &nanoseconds,
          &of->encoder, &of->last_read, at, fetched);
      of->packed += (double)((at - begin) / short_event_size);
    } else {
      /* The caller wants to know of a mark in front of another entry than an event. */
      const char *next = at + short_mark_size;
      if (!is_time_mark(at, end) || next == end || !is_short_event(next))
        break;
      *time = time_of_mark(at);
      at = next;
    }
  }
  return at;
}

/* Of a marked stream: one event, with its time. */
static const char *pack_some(stream *of, const char *begin, const char *end) {
  const event *first = (const event *)begin; /* of a short one, only the id is there */
  warpo_begin_events_with(&of->encoder, first->id,
                          is_time(of)              ? nanoseconds_of(first->clocks[0].milliseconds)
                          : of->form == clock_fuel ? first->clocks[0].fuel - of->foreign_fuel
                                                   : of->last_read.time + 1);
  bool has_more = of->encoder.columns != 0;
  switch (of->form) {
  case clock_marked:
  case clock_time:
    return has_more ? PACK(2, 1, read_time_and_fuel) : PACK(1, 0, read_time);
  case clock_fuel:
    return PACK(1, 0, read_fuel);
  case clock_none:
    return has_more ? PACK(1, 1, read_none_and_fuel)
                    : PACK_FORM(short_event_size, 0, read_short, is_short_event);
  }
  return end;
}

/* The stream's clock at this entry; of a marked stream, one with its time. */
EXPORT(moment) uint64_t moment(const stream *of, const event *entry) {
  return is_time(of)              ? nanoseconds_of(entry->clocks[0].milliseconds)
         : of->form == clock_fuel ? entry->clocks[0].fuel - of->foreign_fuel
                                  : of->last_read.time;
}

/* The stream's clock at its last event. */
EXPORT(lastMoment) uint64_t last_moment(const stream *of) { return of->last_read.time; }

/* Another stack runs from here on, when all have burnt `fuel`; proceed() ends this. */
EXPORT(pause) void pause_stack(stream *of, uint64_t fuel) { of->paused_at = fuel; }
EXPORT(proceed) void proceed(stream *of, uint64_t fuel) {
  of->foreign_fuel += fuel - of->paused_at;
}

/* `taken`: up to where no event waits any more; 0: unchanged. `time`: of the last mark before. */
static inline void commit(stream *of, uint32_t taken, double time) {
  if (taken != 0) {
    events.taken = taken;
    events.time = time;
  }
  drop_checkpoint(&of->before);
}

/* Packs events up to `end` or until the block is full; returns where it stopped. `waits`: the
 * events are in the buffer. */
EXPORT(pack) const char *pack(stream *of, const char *begin, const char *end, bool waits) {
  bool is_marked = waits && of->form == clock_marked;
  bool is_short_one = is_marked || (of->form == clock_none && is_short(of));
  if (begin == end || !(is_short_one ? is_short_event(begin) : is_event(begin)))
    return begin;
  set_checkpoint(&of->before, &of->encoder, &of->last_read);
  double time = events.time;
  const char *next = is_marked ? pack_marked(of, begin, end, &time) : pack_some(of, begin, end);
  if (waits && !is_marked)
    of->packed += (double)((size_t)(next - begin) / event_size(of));
  commit(of, waits ? (uint32_t)(uintptr_t)next : 0, time);
  return next;
}

/* `taken`: see commit(). */
EXPORT(lose)
void lose(stream *of, double time, double count, warpo_loss_cause cause, uint32_t taken) {
  set_checkpoint(&of->before, &of->encoder, &of->last_read);
  warpo_pack_lost(&of->encoder, (uint64_t)time, (uint64_t)count, cause);
  memset(of->starts, 0, sizeof(of->starts)); /* as the open calls are unknown */
  commit(of, taken, events.time);
}

EXPORT(packed) double packed(const stream *of) { return of->packed; }
EXPORT(leftOut) double left_out(const stream *of) { return of->left_out; }
EXPORT(setLeftOut) void set_left_out(stream *of, double count) { of->left_out = count; }
EXPORT(unwritten) double unwritten(const stream *of) { return of->unwritten; }
EXPORT(setUnwritten) void set_unwritten(stream *of, double count) { of->unwritten = count; }

/* Frames the block and returns its size, 0 if there is none. It is unpublished until publish() or
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

EXPORT(knowsCalls) bool knows_calls(const stream *of) { return of->encoder.complete; }

/* The number of calls that are open where a start function begins, within `level` others; here and
 * not in JavaScript, since another thread may pack what follows. */
EXPORT(noteStart) void note_start(stream *of, uint32_t level) {
  if (level < most_starts)
    of->starts[level] = (uint32_t)of->encoder.depth;
}
EXPORT(openAtStart) size_t open_at_start(const stream *of, uint32_t level) {
  return level < most_starts ? of->starts[level] : of->encoder.depth;
}

/* Here for the same reason. */
EXPORT(watchTraps) void watch_traps(stream *of) { of->watches_traps = true; }
EXPORT(watchesTraps) bool watches_traps(const stream *of) { return of->watches_traps; }
EXPORT(noteLeft) void note_left(stream *of, uint32_t count) { of->left_calls += count; }
EXPORT(leftCalls) uint32_t left_calls(const stream *of) { return of->left_calls; }
/* A module with these stack ids has several instances. Returns the number by which a mark names it
 * and all earlier ones, 0 without room. */
EXPORT(addTwins) uint32_t add_twins(stream *of, uint32_t first, uint32_t count) {
  if (of->twin_modules == most_twins)
    return 0;
  of->twins[of->twin_modules] = (id_range){first, count};
  return ++of->twin_modules;
}
EXPORT(meetTwins) void meet_twins(stream *of, uint32_t number) {
  of->watches_traps = true;
  of->met_twins = number;
}
EXPORT(isOfTwins) bool is_of_twins(const stream *of, uint32_t id) {
  for (uint32_t i = 0; i < of->met_twins; ++i)
    if (id - of->twins[i].first < of->twins[i].count)
      return true;
  return false;
}

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
