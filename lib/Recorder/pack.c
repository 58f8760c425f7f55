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

/* One loop for both sizes of entries: the compiler makes two of it. */
static inline __attribute__((always_inline)) const char *pack(size_t entry_size,
                                                              warpo_event_encoder *encoder,
                                                              uint64_t *last_read, uint64_t base,
                                                              const char *at, const char *end) {
  uint64_t last = *last_read;
  for (; at != end && !warpo_encoder_is_full(encoder); at += entry_size) {
    uint64_t read;
    int32_t id = warpo_entry(entry_size, base, at, &read);
    uint64_t time = read;
    if (__builtin_expect((read < last) | (read < encoder->last_time), 0))
      time = step_back(encoder, last, read);
    last = read;
    if (__builtin_expect(id == 0 || id == INT32_MIN, 0))
      warpo_encode_lost(encoder, time, 1, warpo_loss_unknown); /* ids that mean nothing */
    else
      warpo_encode_event(encoder, time, id);
  }
  *last_read = last;
  return at;
}

const char *warpo_pack(const warpo_stream_full *stream, warpo_event_encoder *encoder,
                       uint64_t *last_read, uint64_t base, const char *begin, const char *end) {
  if (begin == end)
    return end;
  uint64_t first;
  warpo_entry(stream->entry_size, base, begin, &first);
  begin_block(encoder, first);
  if (stream->entry_size == sizeof(uint64_t))
    return pack(sizeof(uint64_t), encoder, last_read, base, begin, end);
  return pack(sizeof(warpo_record), encoder, last_read, base, begin, end);
}
