/* SPDX-License-Identifier: Apache-2.0 */
/* Packs the events that trace points stored into blocks, one stream at a time. */
#include "streams.h"
#include "exports.h"
#include "warpo/Recorder/section.h"

#include <stdlib.h>

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

/* Without any clock, an event is its id alone. Other entries are then `bare_escape`, which no event
 * has as its id, the kind, and the number that they have in place of an id. */
typedef int32_t bare_event;
enum { bare_escape = INT32_MIN };

/* With the clock `thread`, which counts, an event is its id and the lower half of the count. Other
 * entries are then as those above, followed by 4 bytes and the clock's number, with which `base`
 * starts again. Such a mark stands where two events may be so far apart that the half is
 * ambiguous. */
typedef struct counted_event {
  int32_t id;
  uint32_t count;
} counted_event;
enum { nanoseconds_per_count = 16 }; /* kept-time.mjs */

/* The event buffer of this thread. recorder.wat.in updates it whenever it swaps the buffer's
 * halves. */
typedef struct buffer {
  uint32_t first; /* of the half that is being filled; what is stored there ends at `next` */
  uint32_t half_size;
  uint32_t taken;  /* the unpacked events of the other half begin here */
  uint32_t filled; /* and end here; 0: none. Set to 0 when all of them have been packed */
  double lost;     /* events lost since the last stored one; in a ring, all lost ones */
  double base;     /* the clock's number near `taken`: 2^52 and a count */
} buffer;

static buffer events;
EXPORT(buffer) buffer *get_buffer(void) { return &events; }

/* All streams of this memory. */
static stream *streams;

static bool is_time(const stream *of) {
  return of->form == clock_time || of->form == clock_counted;
}

/* Makes a stream; NULL without memory. `more`: it has fuel beside the clock. */
EXPORT(newStream) stream *new_stream(uint64_t number, clock_form form, bool more) {
  stream *made = malloc(sizeof(*made));
  if (!made || !warpo_encoder_init(&made->encoder, number, warpo_events_block_size))
    return NULL;
  made->last_read = (warpo_reading){0};
  made->form = form;
  made->foreign_fuel = made->paused_at = 0;
  made->unpublished = 0;
  made->left_out = made->unwritten = 0;
  made->before = (checkpoint){0};
  if (more)
    warpo_encoder_add_column(&made->encoder, warpo_clock_fuel);
  made->next = streams;
  return streams = made;
}

/* The most recent stream, and the one made before a given stream. */
EXPORT(lastStream) stream *last_stream(void) { return streams; }
EXPORT(streamBefore) stream *stream_before(const stream *of) { return of->next; }
EXPORT(hasFuel) bool has_fuel(const stream *of) { return of->encoder.columns != 0; }
static bool is_bare(const stream *of) { return of->form == clock_none && of->encoder.columns == 0; }
EXPORT(eventSize) size_t event_size(const stream *of) {
  if (is_bare(of))
    return sizeof(bare_event);
  if (of->form == clock_counted)
    return sizeof(counted_event);
  return sizeof(event) + ((of->form != clock_none) + of->encoder.columns) * sizeof(uint64_t);
}

/* Continues the stream of a terminated thread, to finish it. False without memory. */
EXPORT(resume) bool resume(stream *of) {
  return return_to_checkpoint(&of->before, &of->encoder, &of->last_read);
}

static inline uint64_t nanoseconds_of(double milliseconds) {
  return (uint64_t)(int64_t)(milliseconds * 1e6 + 0.5);
}

static inline bool is_event(const char *entry) { return ((const event *)entry)->kind == 0; }
/* Also of counted events. */
static inline bool is_bare_event(const char *entry) {
  return *(const bare_event *)entry != bare_escape;
}

static inline int32_t read_time(void *of, const char *entry, warpo_reading *read) {
  (void)of;
  read->time = nanoseconds_of(((const event *)entry)->clocks[0].milliseconds);
  return ((const event *)entry)->id;
}
static inline uint64_t count_of(double number) { return (uint64_t)(number - 0x1p52); }
/* The nearest one to `base` with this half. */
static inline uint64_t whole_count(uint64_t base, uint32_t half) {
  return base + (uint64_t)(int64_t)(int32_t)(half - (uint32_t)base);
}
static inline int32_t read_counted(void *base, const char *entry, warpo_reading *read) {
  const counted_event *event = (const counted_event *)entry;
  read->time = whole_count(*(const uint64_t *)base, event->count) * nanoseconds_per_count;
  return event->id;
}
static inline int32_t read_fuel(void *of, const char *entry, warpo_reading *read) {
  read->time = ((const event *)entry)->clocks[0].fuel - ((stream *)of)->foreign_fuel;
  return ((const event *)entry)->id;
}
/* The clock counts the entries. */
static inline int32_t read_bare(void *of, const char *entry, warpo_reading *read) {
  (void)of;
  ++read->time;
  return *(const bare_event *)entry;
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

static const char *pack_counted(stream *of, const char *begin, const char *end) {
  uint64_t base = count_of(events.base);
  warpo_reading first;
  int32_t id = read_counted(&base, begin, &first);
  warpo_begin_events_with(&of->encoder, id, first.time);
  return warpo_pack_entries(
      &(const warpo_chunk_form){sizeof(counted_event), 0, read_counted, is_bare_event}, &base,
      &of->encoder, &of->last_read, begin, end);
}

/* Of a counted stream: one event, with the whole time. */
static const char *pack_some(stream *of, const char *begin, const char *end) {
  const event *first = (const event *)begin; /* of a bare one, only the id is there */
  warpo_begin_events_with(&of->encoder, first->id,
                          is_time(of)              ? nanoseconds_of(first->clocks[0].milliseconds)
                          : of->form == clock_fuel ? first->clocks[0].fuel - of->foreign_fuel
                                                   : of->last_read.time + 1);
  bool has_more = of->encoder.columns != 0;
  switch (of->form) {
  case clock_counted:
  case clock_time:
    return has_more ? PACK(2, 1, read_time_and_fuel) : PACK(1, 0, read_time);
  case clock_fuel:
    return PACK(1, 0, read_fuel);
  case clock_none:
    return has_more ? PACK(1, 1, read_none_and_fuel)
                    : PACK_FORM(sizeof(bare_event), 0, read_bare, is_bare_event);
  }
  return end;
}

/* The stream's clock at this entry; of a counted stream, one with the whole time. */
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

/* `taken`: up to where no event waits any more; 0: unchanged. `base`: the clock's number there. */
static inline void commit(stream *of, uint32_t taken, double base) {
  if (taken != 0) {
    events.taken = taken;
    events.base = base;
  }
  drop_checkpoint(&of->before);
}

/* Packs events up to `end` or until the block is full; returns where it stopped. `waits`: the
 * events are in the buffer. */
EXPORT(pack) const char *pack(stream *of, const char *begin, const char *end, bool waits) {
  bool is_counted = waits && of->form == clock_counted;
  if (begin == end || !(is_counted || is_bare(of) ? is_bare_event(begin) : is_event(begin)))
    return begin;
  set_checkpoint(&of->before, &of->encoder, &of->last_read);
  const char *next = is_counted ? pack_counted(of, begin, end) : pack_some(of, begin, end);
  double base = events.base;
  if (is_counted && next != begin)
    base = 0x1p52 + (double)whole_count(count_of(base), ((const counted_event *)next)[-1].count);
  commit(of, waits ? (uint32_t)(uintptr_t)next : 0, base);
  return next;
}

/* `taken`: see commit(). */
EXPORT(lose)
void lose(stream *of, double time, double count, warpo_loss_cause cause, uint32_t taken) {
  set_checkpoint(&of->before, &of->encoder, &of->last_read);
  warpo_pack_lost(&of->encoder, (uint64_t)time, (uint64_t)count, cause);
  commit(of, taken, events.base);
}

EXPORT(leftOut) double left_out(const stream *of) { return of->left_out; }
EXPORT(setLeftOut) void set_left_out(stream *of, double count) { of->left_out = count; }
EXPORT(unwritten) double unwritten(const stream *of) { return of->unwritten; }
EXPORT(setUnwritten) void set_unwritten(stream *of, double count) { of->unwritten = count; }

EXPORT(isFull) bool is_full(const stream *of) { return warpo_encoder_is_full(&of->encoder); }

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
