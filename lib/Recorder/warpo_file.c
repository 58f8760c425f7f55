/* Records in the form `warpo`: what stands around the events, when a block is written, and what
 * still gets into a file that has failed. docs/record-format.md is the grammar. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum {
  end_block_size = warpo_block_header_size + 3 * 8,
  index_head_size = warpo_block_header_size + 10,
  max_index_entry_size = 4 * 10,
  /* What is kept free below max_bytes for each stream: its declaration, a block with its losses,
   * and that one's entry in the index. */
  last_words_size = 256,
};

static bool write_bytes(warpo_recorder *recorder, const void *bytes, size_t size) {
  bool written = warpo_sink_write(&recorder->sink, bytes, size, size) == size;
  if (!written)
    atomic_store_explicit(&recorder->stop, warpo_stop_failed, memory_order_relaxed);
  return written;
}

void warpo_file_begin(warpo_recorder *recorder) {
  uint8_t block[warpo_clock_block_size];
  size_t size = warpo_clock_put_block(&recorder->clock, warpo_clock_time, block);
  write_bytes(recorder, WARPO_SIGNATURE, warpo_signature_size);
  write_bytes(recorder, block, size);
}

size_t warpo_file_stream_block(const warpo_stream_full *stream, uint8_t *block) {
  uint8_t *at = block + warpo_block_header_size;
  at = warpo_put_u(at, stream->number);
  at = warpo_put_u(at, stream->module_number);
  at = warpo_put_u(at, stream->thread);
  at = warpo_put_text(at, "", 0);
  size_t size = (size_t)(at - block);
  warpo_frame_block(block, warpo_block_stream, 0, size - warpo_block_header_size);
  return size;
}

/* ---- The file's limit ---- */

bool warpo_file_fits(const warpo_recorder *recorder, size_t size) {
  uint64_t limit = recorder->options.max_bytes;
  if (limit == WARPO_NO_LIMIT)
    return true;
  uint64_t needed = recorder->sink.size + size + end_block_size + index_head_size +
                    (recorder->index_size + 1) * max_index_entry_size;
  if (!recorder->sink.regular)
    needed += warpo_clock_block_size;
  for (const warpo_stream_full *stream = recorder->streams; stream; stream = stream->following)
    needed += stream->has_place ? last_words_size : 0;
  return needed <= limit;
}

static void reach_limit(warpo_recorder *recorder) {
  atomic_store_explicit(&recorder->stop, warpo_stop_limit, memory_order_relaxed);
}

void warpo_file_declare(warpo_recorder *recorder, const warpo_declaration *declaration) {
  write_bytes(recorder, declaration->block, declaration->size);
}

void warpo_file_reserve(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  stream->has_place = !recorder->is_full && warpo_file_fits(recorder, last_words_size);
  if (stream->has_place || recorder->sink.broken)
    return;
  recorder->is_full = true;
  reach_limit(recorder);
}

/* ---- The index ---- */

static void add_to_index(warpo_recorder *recorder, const warpo_event_encoder *encoder,
                         uint64_t offset) {
  if (recorder->without_index)
    return;
  if (recorder->index_size == recorder->index_capacity) {
    size_t capacity = recorder->index_capacity ? 2 * recorder->index_capacity : 64;
    warpo_index_entry *index = realloc(recorder->index, capacity * sizeof(*index));
    if (!index || capacity > warpo_max_payload / 8) {
      recorder->index = index ? index : recorder->index;
      recorder->without_index = true;
      return;
    }
    recorder->index = index;
    recorder->index_capacity = capacity;
  }
  recorder->index[recorder->index_size++] =
      (warpo_index_entry){offset, encoder->stream, encoder->first_time, encoder->last_time};
}

/* Returns the index's offset; 0 without one. */
static uint64_t write_index(warpo_recorder *recorder) {
  size_t most = index_head_size + recorder->index_size * max_index_entry_size;
  uint8_t *block = recorder->without_index ? NULL : malloc(most);
  if (!block)
    return 0;
  uint8_t *at = warpo_put_u(block + warpo_block_header_size, recorder->index_size);
  uint64_t offset = 0, time = 0;
  for (size_t i = 0; i < recorder->index_size; ++i) {
    const warpo_index_entry *entry = &recorder->index[i];
    at = warpo_put_u(at, entry->offset - offset);
    at = warpo_put_u(at, entry->stream);
    at = warpo_put_u(at, entry->first - time);
    at = warpo_put_u(at, entry->last - entry->first);
    offset = entry->offset;
    time = entry->first;
  }
  size_t size = (size_t)(at - block);
  uint64_t place = 0;
  if (size - warpo_block_header_size <= warpo_max_payload) {
    place = recorder->sink.size;
    warpo_frame_block(block, warpo_block_index, 0, size - warpo_block_header_size);
    if (!write_bytes(recorder, block, size))
      place = 0;
  }
  free(block);
  return place;
}

/* ---- Events ---- */

static void note_missing(warpo_stream_full *stream, uint64_t since) {
  if (stream->unwritten == 0 && stream->overrun == 0)
    stream->missing_since = since;
}

/* `is_last`: what the stream's place is for. */
static void finish_block(warpo_stream_full *stream, bool is_last) {
  warpo_recorder *recorder = stream->recorder;
  warpo_event_encoder *encoder = &stream->encoder;
  size_t size = warpo_encoder_finish(encoder);
  if (size == 0)
    return;
  uint8_t declaration[warpo_stream_block_size];
  bool has_room = stream->has_place && (is_last || warpo_file_fits(recorder, size));
  if (!has_room && !recorder->sink.broken) {
    note_missing(stream, encoder->first_time);
    stream->overrun += encoder->events;
    reach_limit(recorder);
    return;
  }
  if (!stream->declared)
    stream->declared =
        write_bytes(recorder, declaration, warpo_file_stream_block(stream, declaration));
  uint64_t offset = recorder->sink.size;
  if (write_bytes(recorder, encoder->block, size)) {
    recorder->counts.written += encoder->events;
    add_to_index(recorder, encoder, offset);
  } else {
    note_missing(stream, encoder->first_time);
    stream->unwritten += encoder->events;
  }
}

void warpo_file_finish_block(warpo_stream_full *stream) { finish_block(stream, false); }

void warpo_file_write(warpo_stream_full *stream, const warpo_chunk *chunk, const char *begin,
                      const char *end) {
  warpo_recorder *recorder = stream->recorder;
  bool is_over = recorder->sink.broken || recorder->stop == warpo_stop_limit;
  if (is_over && begin != end && !stream->encoder.next) {
    warpo_reading since;
    warpo_entry(stream->form, chunk->base, begin, &since);
    note_missing(stream, since.time);
    *(recorder->sink.broken ? &stream->unwritten : &stream->overrun) +=
        (size_t)(end - begin) / stream->entry_size;
    return;
  }
  while (begin != end) {
    begin = warpo_pack(stream, &stream->encoder, &stream->last_read, chunk->base, begin, end);
    if (warpo_encoder_is_full(&stream->encoder))
      finish_block(stream, false);
  }
}

void warpo_file_write_lost(warpo_stream_full *stream, uint64_t time, uint64_t count,
                           warpo_loss_cause cause) {
  warpo_pack_lost(&stream->encoder, time, count, cause);
  if (warpo_encoder_is_full(&stream->encoder))
    finish_block(stream, false);
}

/* ---- The end ---- */

static uint64_t earlier(uint64_t a, uint64_t b) { return a == 0 || (b != 0 && b < a) ? b : a; }

static void remember_loss(warpo_recorder *recorder, warpo_last_loss loss) {
  size_t count = recorder->last_loss_count;
  warpo_last_loss *losses = realloc(recorder->last_losses, (count + 1) * sizeof(*losses));
  if (!losses)
    return;
  losses[count] = loss;
  recorder->last_losses = losses;
  recorder->last_loss_count = count + 1;
}

void warpo_file_end_stream(warpo_stream_full *stream) {
  if (stream->dropped.count != 0)
    warpo_file_write_lost(stream, stream->dropped.since, stream->dropped.count,
                          warpo_loss_buffer_full);
  finish_block(stream, false);
  warpo_sections_count(stream->recorder, &stream->encoder);
  uint64_t beyond = stream->lost_to_limit.count + stream->overrun;
  uint64_t failed = stream->lost_to_failure.count + stream->unwritten;
  uint64_t since = stream->overrun || stream->unwritten ? stream->missing_since : 0;
  if (stream->recorder->sink.broken) {
    since = earlier(since, earlier(stream->lost_to_limit.since, stream->lost_to_failure.since));
    if (stream->declared && beyond + failed != 0)
      remember_loss(stream->recorder, (warpo_last_loss){stream->number, since, beyond + failed});
    return;
  }
  /* The open calls are of no use behind the last event. */
  stream->encoder.depth = stream->encoder.floor = 0;
  stream->encoder.complete = false;
  if (beyond != 0)
    warpo_pack_lost(&stream->encoder, earlier(since, stream->lost_to_limit.since), beyond,
                    warpo_loss_limit);
  if (failed != 0)
    warpo_pack_lost(&stream->encoder, earlier(since, stream->lost_to_failure.since), failed,
                    warpo_loss_write_failed);
  finish_block(stream, true);
}

/* The room that the taken back block had may do for the losses. */
static void write_last_losses(warpo_recorder *recorder) {
  for (size_t i = 0; i < recorder->last_loss_count; ++i) {
    const warpo_last_loss *loss = &recorder->last_losses[i];
    warpo_event_encoder encoder;
    if (!warpo_encoder_init(&encoder, loss->stream, 4096))
      return;
    warpo_pack_lost(&encoder, loss->since, loss->count, warpo_loss_write_failed);
    write_bytes(recorder, encoder.block, warpo_encoder_finish(&encoder));
    warpo_encoder_free(&encoder);
  }
}

void warpo_file_end(warpo_recorder *recorder) {
  warpo_sink *sink = &recorder->sink;
  bool was_broken = sink->broken;
  if (was_broken && (!sink->regular || sink->fd < 0 || sink->size < warpo_signature_size))
    return;
  sink->broken = false;
  warpo_clock_measure_rate(&recorder->clock);
  uint8_t clock[warpo_clock_block_size];
  size_t size = warpo_clock_put_block(&recorder->clock, warpo_clock_time, clock);
  if (sink->regular)
    warpo_sink_correct(sink, warpo_signature_size, clock, size);
  else
    write_bytes(recorder, clock, size);
  write_last_losses(recorder);
  uint8_t end[end_block_size];
  warpo_recorder_counts counts = warpo_recorder_sum(recorder);
  uint8_t *at = warpo_put_fixed(end + warpo_block_header_size, write_index(recorder), 8);
  at = warpo_put_fixed(at, counts.written, 8);
  warpo_put_fixed(at, counts.lost_to_limit + counts.lost_to_failure + counts.lost_to_buffer, 8);
  warpo_frame_block(end, warpo_block_end, 0, end_block_size - warpo_block_header_size);
  write_bytes(recorder, end, sizeof(end));
  sink->broken = sink->broken || was_broken;
}
