/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the record format `warpo`. */
#include "warpo/Recorder/event_encoder.h"
#include "warpo/Recorder/section.h"

#include <stdlib.h>
#include <string.h>

enum {
  first_capacity = 256,
  /* Room for notes behind a block's last event. It is more than they need, so that blocks end where
   * earlier versions ended them. */
  spare_size = 1072 - warpo_max_event_size,
  /* How many of the innermost open calls are searched for the one that an end ends, so that
   * unmatched ends stay cheap. Sections do not count, since a function may leave any number of them
   * open. */
  max_search = 64,
};

bool warpo_encoder_init(warpo_event_encoder *encoder, uint64_t stream, size_t block_size) {
  memset(encoder, 0, sizeof(*encoder));
  encoder->block = malloc(block_size);
  encoder->calls = malloc(first_capacity * sizeof(*encoder->calls));
  if (!encoder->block || !encoder->calls) {
    warpo_encoder_free(encoder);
    return false;
  }
  encoder->capacity = first_capacity;
  encoder->stream = stream;
  encoder->complete = true;
  /* Notes may follow the last event that fits. */
  encoder->limit = encoder->block + block_size - warpo_max_event_size - spare_size;
  return true;
}

void warpo_encoder_free(warpo_event_encoder *encoder) {
  free(encoder->block);
  free(encoder->calls);
  memset(encoder, 0, sizeof(*encoder));
}

void warpo_encoder_add_column(warpo_event_encoder *encoder, uint64_t clock) {
  encoder->column[encoder->columns++] = (warpo_column){clock, 0};
}

void warpo_encoder_forget(warpo_event_encoder *encoder) {
  encoder->depth = encoder->floor = 0;
  encoder->complete = false;
}

void warpo_encoder_begin(warpo_event_encoder *encoder, uint64_t time) {
  uint8_t *at = encoder->block + warpo_block_header_size;
  at = warpo_put_u(at, encoder->stream);
  at = warpo_put_fixed(at, time, 8);
  at = warpo_put_u(at, encoder->columns);
  for (uint32_t i = 0; i < encoder->columns; ++i) {
    at = warpo_put_u(at, encoder->column[i].clock);
    at = warpo_put_fixed(at, encoder->column[i].last, 8);
  }
  bool short_enough = encoder->depth <= warpo_max_context_calls;
  encoder->floor = short_enough ? 0 : encoder->depth;
  at = warpo_put_u(at, encoder->depth - encoder->floor);
  *at++ = encoder->complete && short_enough;
  for (uint32_t i = encoder->floor; i < encoder->depth; ++i)
    at = warpo_put_u(at, warpo_function_code(encoder->calls[i]));
  encoder->next = at;
  encoder->first_time = encoder->last_time = time;
  encoder->events = 0;
}

size_t warpo_encoder_finish(warpo_event_encoder *encoder) {
  if (!encoder->next)
    return 0;
  size_t size = (size_t)(encoder->next - encoder->block);
  warpo_frame_block(encoder->block, warpo_block_events, 0, size - warpo_block_header_size);
  encoder->next = NULL;
  return size;
}

/* Readers know no open calls from here on; the encoder keeps them for the next block's context. */
static void hide_calls(warpo_event_encoder *encoder) { encoder->floor = encoder->depth; }

static uint8_t *begin_special(warpo_event_encoder *encoder, uint64_t delta, warpo_special special,
                              size_t size) {
  uint8_t *at = warpo_put_u(encoder->next, delta << 1);
  at = warpo_put_u(at, 0);
  at = warpo_put_u(at, special);
  return warpo_put_u(at, size);
}

static size_t size_of_u(uint64_t value) {
  uint8_t bytes[10];
  return (size_t)(warpo_put_u(bytes, value) - bytes);
}

void warpo_encode_unknown_end(warpo_event_encoder *encoder, uint64_t delta, int32_t id) {
  uint32_t code = warpo_function_code(-id);
  uint8_t *at = begin_special(encoder, delta, warpo_special_end, size_of_u(code));
  encoder->next = warpo_put_u(at, code);
  /* A trap ends any number of calls, and their sections are not the program's mistakes. */
  uint32_t traps = 0;
  for (; traps < 2 && encoder->depth > 0 && encoder->calls[encoder->depth - 1] == WARPO_TRAP_ID;
       ++traps)
    --encoder->depth;
  bool trapped = traps > 0;
  uint32_t found = encoder->depth, passed = 0;
  while (found > 0 && encoder->calls[found - 1] != -id &&
         (trapped || warpo_is_section(encoder->calls[found - 1]) || ++passed < max_search))
    --found;
  /* Two traps: of several calls of the function, the outermost ended. */
  if (traps > 1 && found > 0)
    for (found = 1; encoder->calls[found - 1] != -id;)
      ++found;
  if (found > 0 && encoder->calls[found - 1] == -id) {
    for (uint32_t i = found; i < encoder->depth && !trapped; ++i)
      encoder->unended_sections += warpo_is_section(encoder->calls[i]);
    encoder->depth = found - 1;
  } else {
    encoder->complete = false;
  }
  hide_calls(encoder);
}

static bool has_grown(warpo_event_encoder *encoder) {
  size_t capacity = encoder->capacity * (size_t)2;
  int32_t *calls = realloc(encoder->calls, capacity * sizeof(*calls));
  if (!calls)
    return false;
  encoder->calls = calls;
  encoder->capacity = (uint32_t)capacity;
  return true;
}

/* Makes room for a call, if necessary by forgetting others: those that readers do not know, or all
 * of them, as readers do too. */
void warpo_encoder_grow(warpo_event_encoder *encoder) {
  if (encoder->capacity < warpo_max_known_calls && has_grown(encoder))
    return;
  encoder->complete = false;
  uint32_t known = encoder->depth - encoder->floor;
  if (encoder->floor == 0) {
    known = 0;
  } else {
    memmove(encoder->calls, encoder->calls + encoder->floor, known * sizeof(*encoder->calls));
  }
  encoder->floor = 0;
  encoder->depth = known;
}

static void encode_uncounted(warpo_event_encoder *encoder, uint64_t time, int32_t id) {
  warpo_encode_event(encoder, time, id);
  --encoder->events;
  for (uint32_t i = 0; i < encoder->columns; ++i)
    encoder->next = warpo_put_u(encoder->next, 0);
}

void warpo_encode_recorded(warpo_event_encoder *encoder, uint64_t time) {
  encode_uncounted(encoder, encoder->last_time, WARPO_RECORDING_ID);
  encode_uncounted(encoder, time, -WARPO_RECORDING_ID);
}

void warpo_encode_lost(warpo_event_encoder *encoder, uint64_t time, uint64_t count,
                       warpo_loss_cause cause) {
  size_t size = size_of_u(count) + size_of_u(cause);
  uint8_t *at = begin_special(encoder, time - encoder->last_time, warpo_special_lost, size);
  at = warpo_put_u(at, count);
  encoder->next = warpo_put_u(at, cause);
  encoder->last_time = time;
  warpo_encoder_forget(encoder);
}

void warpo_encode_back(warpo_event_encoder *encoder, uint64_t counts) {
  uint8_t *at = begin_special(encoder, 0, warpo_special_back, size_of_u(counts));
  encoder->next = warpo_put_u(at, counts);
}

void warpo_encode_column_back(warpo_event_encoder *encoder, uint32_t column, uint64_t counts) {
  uint64_t clock = encoder->column[column].clock;
  uint8_t *at = begin_special(encoder, 0, warpo_special_back, size_of_u(counts) + size_of_u(clock));
  at = warpo_put_u(at, counts);
  encoder->next = warpo_put_u(at, clock);
}
