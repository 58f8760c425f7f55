/* SPDX-License-Identifier: Apache-2.0 */
#include "live_contents.h"

#include <string.h>

bool warpo_live_is_known(const warpo_live_contents *from) {
  const warpo_live_header *header = warpo_live_header_of(from);
  uint64_t step = header->stream_size;
  return memcmp(header->magic, WARPO_LIVE_MAGIC, sizeof(header->magic)) == 0 &&
         header->start_size <= sizeof(header->start) &&
         (step == 0 || (step > warpo_live_page && step % warpo_live_page == 0));
}

warpo_live_totals warpo_live_totals_of(const warpo_live_contents *from) {
  const warpo_live_header *header = warpo_live_header_of(from);
  warpo_live_totals totals =
      header->phase == warpo_live_written ? header->then.totals : header->totals;
  totals.gone += header->refused;
  return totals;
}

/* The part of the stream that is in the record; NULL if it has ended. */
static const warpo_live_progress *progress_of(const warpo_live_contents *from,
                                              const warpo_live_stream *live) {
  const warpo_live_header *header = warpo_live_header_of(from);
  if (header->phase != warpo_live_written || header->stream != live->place)
    return &live->progress;
  return header->then.has_ended ? NULL : &header->then.progress;
}

const warpo_live_stream *warpo_live_find(const warpo_live_contents *from, uint64_t *place) {
  uint64_t step = warpo_live_header_of(from)->stream_size;
  for (; step != 0 && step <= from->size - *place; *place += step) {
    const warpo_live_stream *live = (const warpo_live_stream *)(from->bytes + *place);
    if (live->in_use && progress_of(from, live))
      return live;
  }
  return NULL;
}

bool warpo_live_is_sound(const warpo_live_contents *from, const warpo_live_stream *live) {
  const warpo_live_progress *progress = progress_of(from, live);
  uint64_t room = warpo_live_header_of(from)->stream_size - warpo_live_page;
  return live->form <= warpo_entry_fuel_event && live->measure < warpo_max_clocks &&
         live->measure_size <= sizeof(live->measure_block) && live->chunk_count >= 1 &&
         live->chunk_count <= warpo_live_max_chunks &&
         live->chunk_bytes % (2 * sizeof(uint64_t)) == 0 && live->chunk_bytes != 0 &&
         live->chunk_bytes <= room / live->chunk_count && progress->chunks <= live->begun &&
         live->begun - progress->chunks <= live->chunk_count &&
         progress->taken <= live->chunk_bytes &&
         progress->taken % warpo_entry_size((warpo_entry_form)live->form) == 0;
}

/* The end of a chunk's entries: unused room is zero. For an event with fuel, the first half is
 * stored last, so it decides. */
static const char *find_end(const char *begin, const char *end, warpo_entry_form form) {
  while (begin != end && *(const uint64_t *)begin != 0)
    begin += warpo_entry_size(form);
  return begin;
}

static const warpo_chunk_head *head_of(const warpo_live_stream *live, uint64_t number) {
  return &live->chunks[number % live->chunk_count];
}

/* The entries of a chunk after the first `taken` bytes. */
static const char *entries(const warpo_live_stream *live, uint64_t number, uint64_t taken,
                           const char **end) {
  const char *chunk =
      (const char *)live + warpo_live_page + number % live->chunk_count * live->chunk_bytes;
  *end = find_end(chunk + taken, chunk + live->chunk_bytes, (warpo_entry_form)live->form);
  return chunk + taken;
}

/* Events lost to a full buffer after the last chunk begun. */
static uint64_t lost_last(const warpo_live_stream *live) {
  uint64_t noted = live->begun == 0 ? 0 : head_of(live, live->begun - 1)->lost_before;
  return live->losses.to_buffer.count - noted;
}

/* For a ring: the events of chunks that were given up. */
static uint64_t given_up(const warpo_live_contents *from, const warpo_live_stream *live) {
  uint64_t oldest = progress_of(from, live)->chunks;
  bool is_ring = warpo_live_header_of(from)->is_ring != 0;
  return is_ring && oldest < live->begun ? head_of(live, oldest)->events_before : 0;
}

uint64_t warpo_live_lost_of(const warpo_live_contents *from, const warpo_live_stream *live) {
  const warpo_losses *losses = &live->losses;
  const warpo_unrecorded *unrecorded = &progress_of(from, live)->unrecorded;
  return losses->to_buffer.count + losses->to_limit.count + losses->to_failure.count +
         given_up(from, live) + unrecorded->overrun + unrecorded->unwritten +
         unrecorded->meaningless;
}

bool warpo_live_has_more(const warpo_live_contents *from, const warpo_live_stream *live) {
  const warpo_live_progress *progress = progress_of(from, live);
  const warpo_losses *losses = &live->losses;
  return progress->chunks != live->begun ||
         (lost_last(live) | losses->to_limit.count | losses->to_failure.count |
          progress->unrecorded.overrun | progress->unrecorded.unwritten) != 0;
}

static void put_chunks(const warpo_live_contents *from, const warpo_live_stream *live,
                       warpo_event_output *to) {
  warpo_entry_form form = (warpo_entry_form)live->form;
  const warpo_live_progress *progress = progress_of(from, live);
  uint64_t taken = progress->taken;
  const warpo_chunk_head *head = head_of(live, progress->chunks);
  const char *end, *begin = entries(live, progress->chunks, taken, &end);
  /* Counts in added blocks start at the first added event, where those in the record stopped. */
  warpo_reading first = {0};
  if (begin != end)
    warpo_entry(form, head->base, begin, &first);
  to->encoder->column[0].last = first.more[0];
  if (warpo_live_header_of(from)->is_ring)
    warpo_output_put_loss(to, head->base + 1, head->events_before + head->lost_before,
                          warpo_loss_buffer_full);
  else if (taken == 0)
    warpo_output_put_loss(to, head->lost_since, head->lost, warpo_loss_buffer_full);
  warpo_output_put_entries(to, form, head->base, begin, end);
  for (uint64_t number = progress->chunks + 1; number < live->begun; ++number) {
    head = head_of(live, number);
    warpo_output_put_loss(to, head->lost_since, head->lost, warpo_loss_buffer_full);
    begin = entries(live, number, 0, &end);
    warpo_output_put_entries(to, form, head->base, begin, end);
  }
}

void warpo_live_put(const warpo_live_contents *from, const warpo_live_stream *live,
                    warpo_event_output *to) {
  const warpo_live_progress *progress = progress_of(from, live);
  const warpo_losses *losses = &live->losses;
  const warpo_stream_fields fields = {live->number, live->module_number, live->thread};
  /* The calls open before the added events are unknown. */
  warpo_output_begin_stream(to, &fields, live->measure,
                            progress->chunks == 0 && progress->taken == 0);
  if (progress->chunks != live->begun)
    put_chunks(from, live, to);
  warpo_output_put_loss(to, losses->to_buffer.since, lost_last(live), warpo_loss_buffer_full);
  warpo_output_put_loss(to, losses->to_limit.since,
                        losses->to_limit.count + progress->unrecorded.overrun, warpo_loss_limit);
  warpo_output_put_loss(to, losses->to_failure.since,
                        losses->to_failure.count + progress->unrecorded.unwritten,
                        warpo_loss_write_failed);
  warpo_output_end_stream(to);
}
