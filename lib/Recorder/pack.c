/* SPDX-License-Identifier: Apache-2.0 */
/* Packs chunks into blocks. */
#include "chunks.h"

static int32_t read_event(void *base, const char *entry, warpo_reading *read) {
  return warpo_entry(warpo_entry_event, *(uint64_t *)base, entry, read);
}
static int32_t read_fuel_event(void *base, const char *entry, warpo_reading *read) {
  return warpo_entry(warpo_entry_fuel_event, *(uint64_t *)base, entry, read);
}
/* Fuel is the time. */
static int32_t read_fuel(void *base, const char *entry, warpo_reading *read) {
  int32_t id = read_fuel_event(base, entry, read);
  read->time = read->more[0];
  return id;
}

#define PACK(form, columns, read)                                                                  \
  warpo_pack_entries(&(const warpo_chunk_form){warpo_entry_size(form), columns, read, NULL},       \
                     &base, encoder, last_read, begin, end)

const char *warpo_pack(warpo_entry_form form, warpo_event_encoder *encoder,
                       warpo_reading *last_read, uint64_t base, const char *begin,
                       const char *end) {
  if (begin == end)
    return end;
  bool fuel_is_time = form == warpo_entry_fuel_event && encoder->columns == 0;
  warpo_reading first;
  int32_t id = warpo_entry(form, base, begin, &first);
  /* An encoder that starts in the middle of a stream does not know the counts of the events before.
   */
  if (!encoder->next && encoder->columns != 0 && first.more[0] > encoder->column[0].last)
    encoder->column[0].last = first.more[0];
  warpo_begin_events_with(encoder, id, fuel_is_time ? first.more[0] : first.time);
  switch (form) {
  case warpo_entry_event:
    return PACK(warpo_entry_event, 0, read_event);
  case warpo_entry_fuel_event:
    break;
  }
  if (fuel_is_time)
    return PACK(warpo_entry_fuel_event, 0, read_fuel);
  return PACK(warpo_entry_fuel_event, 1, read_fuel_event);
}
