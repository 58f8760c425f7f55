/* Entries of a chunk into the events of a block. */
#include "internal.h"

static void begin_block(warpo_event_encoder *encoder, uint64_t time) {
  if (!encoder->next)
    warpo_encoder_begin(encoder, time < encoder->last_time ? encoder->last_time : time);
}

void warpo_pack_lost(warpo_event_encoder *encoder, uint64_t time, uint64_t count,
                     warpo_loss_cause cause) {
  begin_block(encoder, time);
  warpo_encode_lost(encoder, time < encoder->last_time ? encoder->last_time : time, count, cause);
}

/* What the usual way has no place for; returns the time that the event gets. */
static uint64_t step_back(warpo_event_encoder *encoder, uint64_t last_read, uint64_t time) {
  if (time < last_read)
    warpo_encode_back(encoder, last_read - time);
  return time < encoder->last_time ? encoder->last_time : time;
}
static uint64_t fuel_back(warpo_event_encoder *encoder, uint64_t last_read, uint64_t fuel) {
  if (fuel < last_read)
    warpo_encode_fuel_back(encoder, last_read - fuel);
  return fuel < encoder->last_fuel ? encoder->last_fuel : fuel;
}

/* Ids that are no function's, and 1, which a shift does not tell from them. */
static bool is_special(int32_t id) { return (uint32_t)id << 1 <= 2; }

/* What a special id stands for: a function's, or 0 if there is nothing to encode any more. */
static int32_t resolve(warpo_event_encoder *encoder, uint64_t time, int32_t id) {
  if (id == 1)
    return id;
  if (id != warpo_section_end_id) {
    warpo_encode_lost(encoder, time, 1, warpo_loss_unknown); /* ids that mean nothing */
    return 0;
  }
  int32_t innermost = encoder->depth > 0 ? encoder->calls[encoder->depth - 1] : 0;
  if (warpo_is_section(innermost))
    return -innermost;
  /* Of what lies behind a loss nobody knows whether it was begun. */
  encoder->unmatched_section_ends += innermost != 0 || encoder->complete;
  return 0;
}

/* What the record has for a clock; fuel alone may be that. */
typedef enum clocks { time_only, fuel_only, time_and_fuel } clocks;

/* One loop for all forms of entries: the compiler makes one each of it. */
static inline __attribute__((always_inline)) const char *
pack(warpo_entry_form form, clocks has, warpo_event_encoder *encoder, warpo_reading *last_read,
     uint64_t base, const char *at, const char *end) {
  warpo_reading last = *last_read;
  for (; at != end && !warpo_encoder_is_full(encoder); at += warpo_entry_size(form)) {
    warpo_reading read;
    int32_t id = warpo_entry(form, base, at, &read);
    if (has == fuel_only)
      read.time = read.fuel;
    uint64_t time = read.time;
    if (__builtin_expect((read.time < last.time) | (read.time < encoder->last_time), 0))
      time = step_back(encoder, last.time, read.time);
    uint64_t fuel = read.fuel;
    if (has == time_and_fuel &&
        __builtin_expect((read.fuel < last.fuel) | (read.fuel < encoder->last_fuel), 0))
      fuel = fuel_back(encoder, last.fuel, read.fuel);
    last = read;
    if (__builtin_expect(is_special(id), 0) && (id = resolve(encoder, time, id)) == 0)
      continue;
    if (has == time_and_fuel)
      warpo_encode_fuel_event(encoder, time, id, fuel);
    else
      warpo_encode_event(encoder, time, id);
  }
  *last_read = last;
  return at;
}

const char *warpo_pack(const warpo_stream_full *stream, warpo_event_encoder *encoder,
                       warpo_reading *last_read, uint64_t base, const char *begin,
                       const char *end) {
  if (begin == end)
    return end;
  bool fuel_is_time = stream->form == warpo_entry_fuel_event && !encoder->has_fuel;
  warpo_reading first;
  warpo_entry(stream->form, base, begin, &first);
  /* An encoder that was made for events in the middle of a stream knows nothing of those before. */
  if (!encoder->next && first.fuel > encoder->last_fuel)
    encoder->last_fuel = first.fuel;
  begin_block(encoder, fuel_is_time ? first.fuel : first.time);
  switch (stream->form) {
  case warpo_entry_record:
    return pack(warpo_entry_record, time_only, encoder, last_read, base, begin, end);
  case warpo_entry_event:
    return pack(warpo_entry_event, time_only, encoder, last_read, base, begin, end);
  case warpo_entry_fuel_event:
    break;
  }
  if (fuel_is_time)
    return pack(warpo_entry_fuel_event, fuel_only, encoder, last_read, base, begin, end);
  return pack(warpo_entry_fuel_event, time_and_fuel, encoder, last_read, base, begin, end);
}
