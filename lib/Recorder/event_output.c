#include "event_output.h"

void warpo_output_put(warpo_event_output *to, const void *bytes, size_t size) {
  if (!to->error)
    to->error = warpo_write_all(to->fd, bytes, size, &to->size);
}

static void finish_block(warpo_event_output *to) {
  warpo_event_encoder *encoder = to->encoder;
  to->events += encoder->next ? encoder->events : 0;
  warpo_output_put(to, encoder->block, warpo_encoder_finish(encoder));
}

void warpo_output_begin_stream(warpo_event_output *to, const warpo_stream_full *stream,
                               bool complete) {
  uint8_t declaration[warpo_stream_block_size];
  warpo_output_put(to, declaration, warpo_file_stream_block(stream, declaration));
  warpo_event_encoder *encoder = to->encoder;
  encoder->stream = stream->number;
  encoder->depth = encoder->floor = 0;
  encoder->last_time = encoder->last_fuel = 0;
  encoder->has_fuel = stream->has_fuel;
  encoder->complete = complete;
  encoder->next = NULL;
  to->last_read = (warpo_reading){0, 0};
}

void warpo_output_put_entries(warpo_event_output *to, const warpo_stream_full *stream,
                              uint64_t base, const char *begin, const char *end) {
  while (begin != end && !to->error) {
    begin = warpo_pack(stream, to->encoder, &to->last_read, base, begin, end);
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

void warpo_output_end(warpo_event_output *to, uint64_t before) {
  uint8_t end[warpo_block_header_size + 3 * 8];
  uint8_t *at = warpo_put_fixed(end + warpo_block_header_size, 0, 8);
  at = warpo_put_fixed(at, before + to->events, 8);
  warpo_put_fixed(at, to->lost, 8);
  warpo_frame_block(end, warpo_block_end, 0, sizeof(end) - warpo_block_header_size);
  warpo_output_put(to, end, sizeof(end));
}
