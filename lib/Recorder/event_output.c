/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* ftruncate */
#include "event_output.h"
#include "sink.h"

#include <unistd.h>

void warpo_output_put(warpo_event_output *to, const void *bytes, size_t size) {
  if (to->error)
    return;
  to->error = warpo_write_all(to->fd, bytes, size, &to->size);
  if (!to->error)
    to->whole = to->size;
}

static void finish_block(warpo_event_output *to) {
  warpo_event_encoder *encoder = to->encoder;
  if (!encoder->next)
    return;
  uint64_t begin = to->whole;
  warpo_output_put(to, encoder->block, warpo_encoder_finish(encoder));
  if (to->error) {
    to->missed += encoder->events;
    return;
  }
  to->events += encoder->events;
  warpo_tail_add(&to->tail, begin, encoder->events);
}

void warpo_output_begin_stream(warpo_event_output *to, const warpo_stream_fields *stream,
                               uint64_t measure, bool complete) {
  uint8_t bytes[warpo_stream_block_room];
  warpo_block block = warpo_block_in(bytes, sizeof(bytes));
  warpo_begin_stream(&block, stream, warpo_text_from(NULL));
  warpo_output_put(to, bytes, warpo_finish_block(&block));
  warpo_event_encoder *encoder = to->encoder;
  encoder->stream = stream->number;
  encoder->depth = encoder->floor = 0;
  encoder->last_time = 0;
  encoder->columns = 0;
  if (measure)
    warpo_encoder_add_column(encoder, measure);
  encoder->complete = complete;
  encoder->next = NULL;
  to->last_read = (warpo_reading){0};
}

void warpo_output_put_entries(warpo_event_output *to, warpo_entry_form form, uint64_t base,
                              const char *begin, const char *end) {
  while (begin != end) {
    begin = warpo_pack(form, to->encoder, &to->last_read, base, begin, end);
    if (warpo_encoder_is_full(to->encoder))
      finish_block(to);
  }
}

void warpo_output_put_loss(warpo_event_output *to, uint64_t since, uint64_t count,
                           warpo_loss_cause cause) {
  if (count == 0)
    return;
  to->lost += count;
  warpo_pack_lost(to->encoder, since, count, cause);
  if (warpo_encoder_is_full(to->encoder))
    finish_block(to);
}

void warpo_output_end_stream(warpo_event_output *to) { finish_block(to); }

bool warpo_output_cut(warpo_event_output *to, uint64_t size) {
  off_t place = (off_t)(to->start + size);
  if (!to->can_cut || ftruncate(to->fd, place) != 0 || lseek(to->fd, place, SEEK_SET) < 0)
    return false;
  to->size = to->whole = size;
  to->error = 0;
  return true;
}

static bool put_end(warpo_event_output *to, uint64_t before, uint64_t lost) {
  uint8_t end[warpo_end_block_size];
  warpo_block block = warpo_block_in(end, sizeof(end));
  warpo_begin_end(&block, 0, before + to->events,
                  lost + to->lost + to->missed + to->encoder->meaningless);
  warpo_output_put(to, end, warpo_finish_block(&block));
  return !to->error;
}

static bool give_up_tail(warpo_event_output *to) {
  uint64_t events;
  if (!warpo_output_cut(to, warpo_tail_cut(&to->tail, to->whole, &events)))
    return false;
  to->events -= events;
  to->missed += events;
  return true;
}

/* If there is no room, each attempt writes less. */
void warpo_output_end(warpo_event_output *to, uint64_t before, uint64_t lost) {
  int error = to->error;
  bool is_written = (!error || warpo_output_cut(to, to->whole)) && put_end(to, before, lost);
  error = error ? error : to->error;
  if (!is_written && give_up_tail(to))
    is_written = put_end(to, before, lost);
  if (!is_written)
    (void)warpo_output_cut(to, to->whole);
  to->error = error;
}
