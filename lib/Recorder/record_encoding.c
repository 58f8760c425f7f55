/* Blocks and events of the record format `warpo`. */
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Recorder/section.h"

#include <stdlib.h>
#include <string.h>

enum {
  first_capacity = 256,
  max_mark_size = 1024,
  /* Among how many of the innermost open calls an end is looked for, so that ends that match
   * nothing stay cheap. Sections do not count: a function may leave any number of them open. */
  max_search = 64,
};

uint8_t *warpo_put_text(uint8_t *at, const char *text, size_t size) {
  at = warpo_put_u(at, size);
  if (size > 0)
    memcpy(at, text, size);
  return at + size;
}

void warpo_frame_block(uint8_t *header, warpo_block_kind kind, uint8_t flags, size_t size) {
  memcpy(header, "WBLK", 4);
  header[4] = (uint8_t)kind;
  header[5] = flags;
  header[6] = header[7] = 0;
  warpo_put_fixed(header + 8, size, 4);
  uint32_t check = warpo_crc32c(0, header + 4, 8);
  check = warpo_crc32c(check, header + warpo_block_header_size, size);
  warpo_put_fixed(header + 12, check, 4);
}

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
  /* After the last event that goes in, a mark may follow. */
  encoder->limit = encoder->block + block_size - warpo_max_event_size - max_mark_size;
  return true;
}

void warpo_encoder_free(warpo_event_encoder *encoder) {
  free(encoder->block);
  free(encoder->calls);
  memset(encoder, 0, sizeof(*encoder));
}

void warpo_encoder_begin(warpo_event_encoder *encoder, uint64_t time) {
  uint8_t *at = encoder->block + warpo_block_header_size;
  at = warpo_put_u(at, encoder->stream);
  at = warpo_put_fixed(at, time, 8);
  at = warpo_put_u(at, encoder->has_fuel); /* further clocks */
  if (encoder->has_fuel) {
    at = warpo_put_u(at, warpo_clock_fuel);
    at = warpo_put_fixed(at, encoder->last_fuel, 8);
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

/* Nothing is known to a reader from here on; what the encoder knows it keeps for the next block. */
static void forget(warpo_event_encoder *encoder) { encoder->floor = encoder->depth; }

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
  uint32_t found = encoder->depth, passed = 0;
  while (found > 0 && encoder->calls[found - 1] != -id &&
         (warpo_is_section(encoder->calls[found - 1]) || ++passed < max_search))
    --found;
  if (found > 0 && encoder->calls[found - 1] == -id) {
    for (uint32_t i = found; i < encoder->depth; ++i)
      encoder->unended_sections += warpo_is_section(encoder->calls[i]);
    encoder->depth = found - 1;
  } else {
    encoder->complete = false;
  }
  forget(encoder);
}

/* Makes room for a call, if need be by forgetting others: those that a reader does not know, or
 * all, which is what a reader does as well. */
void warpo_encoder_grow(warpo_event_encoder *encoder) {
  if (encoder->capacity < warpo_max_known_calls) {
    size_t capacity = encoder->capacity * (size_t)2;
    int32_t *calls = realloc(encoder->calls, capacity * sizeof(*calls));
    if (calls) {
      encoder->calls = calls;
      encoder->capacity = (uint32_t)capacity;
      return;
    }
  }
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

void warpo_encode_lost(warpo_event_encoder *encoder, uint64_t time, uint64_t count,
                       warpo_loss_cause cause) {
  size_t size = size_of_u(count) + size_of_u(cause);
  uint8_t *at = begin_special(encoder, time - encoder->last_time, warpo_special_lost, size);
  at = warpo_put_u(at, count);
  encoder->next = warpo_put_u(at, cause);
  encoder->last_time = time;
  encoder->depth = 0;
  encoder->complete = false;
  forget(encoder);
}

void warpo_encode_back(warpo_event_encoder *encoder, uint64_t counts) {
  uint8_t *at = begin_special(encoder, 0, warpo_special_back, size_of_u(counts));
  encoder->next = warpo_put_u(at, counts);
}

void warpo_encode_fuel_back(warpo_event_encoder *encoder, uint64_t fuel) {
  size_t size = size_of_u(fuel) + size_of_u(warpo_clock_fuel);
  uint8_t *at = begin_special(encoder, 0, warpo_special_back, size);
  at = warpo_put_u(at, fuel);
  encoder->next = warpo_put_u(at, warpo_clock_fuel);
}

void warpo_encode_mark(warpo_event_encoder *encoder, uint64_t time, const char *text, size_t size) {
  if (size > max_mark_size - 16)
    size = max_mark_size - 16;
  uint8_t *at =
      begin_special(encoder, time - encoder->last_time, warpo_special_mark, size_of_u(size) + size);
  encoder->next = warpo_put_text(at, text, size);
  encoder->last_time = time;
}
