/* The encoding of the record format `warpo`: blocks and events, as docs/record-format.md says.
 *
 * Used by the recorder's writer and by whoever converts records into the format. Nothing here
 * writes a file.
 */
#ifndef WARPO_RECORDER_RECORD_ENCODING_H
#define WARPO_RECORDER_RECORD_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPO_SIGNATURE "\x89WARPO\x01"
enum {
  warpo_signature_size = 8, /* the terminating zero of WARPO_SIGNATURE is the version's high byte */
  warpo_block_header_size = 16,
  warpo_max_payload = 1 << 24,
  /* The first id that instrumenting gives. */
  warpo_first_id = 0x1000000,
  /* How many calls writer and reader may remember. */
  warpo_max_known_calls = 1 << 16,
  /* Deeper stacks are not repeated at the start of a block. */
  warpo_max_context_calls = 256,
  /* What one event of the two kinds that have no text, or the head of a special, takes at most. */
  warpo_max_event_size = 48,
  /* A context and what stands before it. */
  warpo_max_events_head = 64 + 5 * warpo_max_context_calls,
};

typedef enum warpo_block_kind {
  warpo_block_clock = 1,
  warpo_block_module = 2,
  warpo_block_stream = 3,
  warpo_block_events = 4,
  warpo_block_index = 5,
  warpo_block_end = 6,
  warpo_block_stacks = 7,
  warpo_block_samples = 8,
  warpo_block_phases = 9,
} warpo_block_kind;

typedef enum warpo_block_flags { warpo_block_is_compressed = 1 } warpo_block_flags;

typedef enum warpo_special {
  warpo_special_end = 1,
  warpo_special_lost = 2,
  warpo_special_mark = 3,
  warpo_special_counter = 4,
  warpo_special_back = 5,
} warpo_special;

typedef enum warpo_loss_cause {
  warpo_loss_unknown = 0,
  warpo_loss_buffer_full = 1,
  warpo_loss_limit = 2,
  warpo_loss_write_failed = 3,
  warpo_loss_process_ended = 4,
} warpo_loss_cause;

/* Numbers of clocks. */
enum { warpo_clock_time = 0, warpo_clock_fuel = 1 };
#define WARPO_FUEL_CLOCK "fuel"

/* What a stream is, for its block. */
typedef enum warpo_stream_flags { warpo_stream_is_host = 1 } warpo_stream_flags;

/* CRC-32C (Castagnoli) of `bytes`, continuing `crc`; start with 0. With SSE 4.2 about a byte in
 * 0.4 cycles, else one in 2. */
uint32_t warpo_crc32c(uint32_t crc, const void *bytes, size_t size);

/* Writes the header of a block whose payload of `size` bytes stands right behind `header`. */
void warpo_frame_block(uint8_t *header, warpo_block_kind kind, uint8_t flags, size_t size);

static inline uint8_t *warpo_put_u(uint8_t *at, uint64_t value) {
  while (value >= 0x80) {
    *at++ = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  *at++ = (uint8_t)value;
  return at;
}
static inline uint8_t *warpo_put_fixed(uint8_t *at, uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    *at++ = (uint8_t)(value >> (8 * i));
  return at;
}
uint8_t *warpo_put_text(uint8_t *at, const char *text, size_t size);

/* The number of a function in events; 0 means something else. `id` is positive. */
static inline uint32_t warpo_function_code(int32_t id) {
  return (((uint32_t)id - warpo_first_id) & 0x7fffffff) + 1;
}

/* Packs the events of one stream into blocks. */
typedef struct warpo_event_encoder {
  uint8_t *block; /* the header's room, then the payload */
  uint8_t *next;  /* where the next event goes; NULL outside of a block */
  uint8_t *limit; /* the block must be finished when next has passed this */
  uint64_t stream;
  uint64_t first_time; /* of the block */
  uint64_t last_time;  /* of the last event */
  uint64_t last_fuel;  /* the same, if the events have fuel */
  bool has_fuel;       /* set before the first block is begun */
  uint64_t events;     /* begins and ends in the block */
  int32_t *calls; /* open calls, outermost first; those from `floor` on are known to a reader */
  uint32_t depth;
  uint32_t floor;
  uint32_t capacity; /* of calls */
  bool complete;     /* whether calls holds all that are open */
  uint64_t unended_sections;       /* that ended with their function */
  uint64_t unmatched_section_ends; /* that were left out */
} warpo_event_encoder;

/* `block_size` bytes are what a block takes at most, its header included; at least 4096. False
 * without memory. */
bool warpo_encoder_init(warpo_event_encoder *encoder, uint64_t stream, size_t block_size);
void warpo_encoder_free(warpo_event_encoder *encoder);

/* Begins a block whose first event has the time `time`. */
void warpo_encoder_begin(warpo_event_encoder *encoder, uint64_t time);
/* Frames what the block holds and returns its size, header included; its bytes stand at
 * encoder->block until the next begin. 0 if no block is begun. */
size_t warpo_encoder_finish(warpo_event_encoder *encoder);
/* Whether the block has no room for a further event. */
static inline bool warpo_encoder_is_full(const warpo_event_encoder *encoder) {
  return encoder->next > encoder->limit;
}

/* Things other than calls. The block has been begun and is not full; none of them but a mark may be
 * long, and a mark's text is cut at 1024 bytes. */
void warpo_encode_lost(warpo_event_encoder *encoder, uint64_t time, uint64_t count,
                       warpo_loss_cause cause);
void warpo_encode_back(warpo_event_encoder *encoder, uint64_t counts);
/* The fuel of the next event would be so much less than that of the one before. */
void warpo_encode_fuel_back(warpo_event_encoder *encoder, uint64_t fuel);
void warpo_encode_mark(warpo_event_encoder *encoder, uint64_t time, const char *text, size_t size);

/* The rare parts of warpo_encode_event. */
void warpo_encode_unknown_end(warpo_event_encoder *encoder, uint64_t delta, int32_t id);
void warpo_encoder_grow(warpo_event_encoder *encoder);

/* A trace point: id > 0 begins, id < 0 ends a call of function |id|; neither 0 nor -2^31. `time` is
 * not less than that of the event before. The block has been begun and is not full. */
static inline void warpo_encode_event(warpo_event_encoder *encoder, uint64_t time, int32_t id) {
  uint64_t delta = time - encoder->last_time;
  encoder->last_time = time;
  ++encoder->events;
  if (id > 0) {
    uint8_t *at = warpo_put_u(encoder->next, delta << 1);
    encoder->next = warpo_put_u(at, warpo_function_code(id));
    if (encoder->depth == encoder->capacity)
      warpo_encoder_grow(encoder);
    encoder->calls[encoder->depth++] = id;
  } else if (encoder->depth > encoder->floor && encoder->calls[encoder->depth - 1] == -id) {
    encoder->next = warpo_put_u(encoder->next, delta << 1 | 1);
    --encoder->depth;
  } else {
    warpo_encode_unknown_end(encoder, delta, id);
  }
}

/* The same of an encoder whose events have fuel; that is not less than before either. */
static inline void warpo_encode_fuel_event(warpo_event_encoder *encoder, uint64_t time, int32_t id,
                                           uint64_t fuel) {
  warpo_encode_event(encoder, time, id);
  encoder->next = warpo_put_u(encoder->next, fuel - encoder->last_fuel);
  encoder->last_fuel = fuel;
}

#ifdef __cplusplus
}
#endif

#endif
