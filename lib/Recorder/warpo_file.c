/* SPDX-License-Identifier: Apache-2.0 */
/* Records in the format `warpo`: what surrounds the events, when blocks are written, and what is
 * still written to a file that has failed. docs/record-format.md is the grammar. */
#include "files.h"

#include <stdlib.h>
#include <string.h>

enum {
  /* Room kept free below max_bytes for each stream: its declaration, a block with its losses, and
   * that block's index entry. */
  last_words_size = 256,
  least_block = 1 << 12,
  largest_block = warpo_events_block_size,
};

static bool write_bytes(warpo_recorder *recorder, const void *bytes, size_t size) {
  bool written = warpo_sink_write(&recorder->sink, bytes, size, size) == size;
  if (!written)
    atomic_store_explicit(&recorder->streams.stop, warpo_stop_failed, memory_order_relaxed);
  return written;
}

static void begin(warpo_recorder *recorder) {
  uint8_t start[warpo_start_size];
  size_t size = warpo_clock_put_start(&recorder->clock, start);
  write_bytes(recorder, start, size);
  recorder->tail = warpo_tail_at(size);
}

/* ---- The file's limit ---- */

bool warpo_file_fits(const warpo_recorder *recorder, size_t size) {
  uint64_t limit = recorder->options.max_bytes;
  if (limit == WARPO_NO_LIMIT)
    return true;
  uint64_t needed = recorder->sink.size + size + warpo_end_block_size + warpo_index_head_size +
                    (recorder->index_size + 1) * warpo_max_index_entry_size;
  if (!recorder->sink.regular)
    needed += warpo_clock_block_size;
  for (const warpo_stream_full *stream = recorder->streams.first; stream;
       stream = stream->following)
    needed += stream->has_place ? last_words_size : 0;
  return needed <= limit;
}

static void reach_limit(warpo_recorder *recorder) {
  atomic_store_explicit(&recorder->streams.stop, warpo_stop_limit, memory_order_relaxed);
}

void warpo_file_declare(warpo_recorder *recorder, const warpo_declaration *declaration) {
  bool is_ring = recorder->options.policy == WARPO_POLICY_RING;
  if (is_ring)
    warpo_ring_begin_write(recorder);
  write_bytes(recorder, declaration->block, declaration->size);
  if (is_ring)
    warpo_ring_end_write(recorder);
}

static void reserve(warpo_stream_full *stream) {
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

/* Returns the index's offset; 0 without an index. */
static uint64_t write_index(warpo_recorder *recorder) {
  size_t most = warpo_index_head_size + recorder->index_size * warpo_max_index_entry_size;
  uint8_t *bytes = recorder->without_index ? NULL : malloc(most);
  if (!bytes)
    return 0;
  warpo_block block = warpo_block_in(bytes, most);
  warpo_begin_index(&block, recorder->index, recorder->index_size);
  size_t size = warpo_finish_block(&block);
  uint64_t place = size != 0 ? recorder->sink.size : 0;
  if (size != 0 && !write_bytes(recorder, bytes, size))
    place = 0;
  free(bytes);
  return place;
}

/* ---- Events ---- */

/* Data beyond the file's limit is lost in whole blocks, so with a low limit blocks are small. */
static size_t block_size(const warpo_recorder_options *options) {
  uint64_t part = options->max_bytes / 16;
  return part < least_block ? least_block : part < largest_block ? (size_t)part : largest_block;
}

static bool make_encoder(warpo_stream_full *stream) {
  const warpo_recorder_options *options = &stream->recorder->options;
  if (options->policy == WARPO_POLICY_RING)
    return true; /* a dump has its own */
  if (!warpo_encoder_init(&stream->encoder, stream->number, block_size(options)))
    return false;
  if (stream->measure)
    warpo_encoder_add_column(&stream->encoder, stream->measure);
  return true;
}

/* Counts events that are not in the record; `since` is the time of the first. */
static void miss(warpo_stream_full *stream, uint64_t count, uint64_t since) {
  warpo_unrecorded *unrecorded = &stream->unrecorded;
  if (unrecorded->unwritten == 0 && unrecorded->overrun == 0)
    unrecorded->since = since;
  *(stream->recorder->sink.broken ? &unrecorded->unwritten : &unrecorded->overrun) += count;
}

void warpo_file_declare_stream(warpo_stream_full *stream) {
  if (stream->declared || !warpo_has_stream_left(stream->recorder))
    return;
  const warpo_stream_fields fields = warpo_stream_fields_of(stream);
  uint8_t bytes[warpo_stream_block_room];
  warpo_block block = warpo_block_in(bytes, sizeof(bytes));
  warpo_begin_stream(&block, &fields, warpo_text_from(NULL));
  stream->declared = write_bytes(stream->recorder, bytes, warpo_finish_block(&block));
  stream->recorder->declared_streams += stream->declared;
}

/* `is_last`: may use the room reserved for the stream's end. */
static void finish_block(warpo_stream_full *stream, bool is_last) {
  warpo_recorder *recorder = stream->recorder;
  warpo_event_encoder *encoder = &stream->encoder;
  size_t size = warpo_encoder_finish(encoder);
  if (size == 0)
    return;
  if (!stream->declared && !warpo_has_stream_left(recorder)) {
    miss(stream, encoder->events, encoder->first_time);
    return;
  }
  bool has_room = stream->has_place && (is_last || warpo_file_fits(recorder, size));
  if (!has_room && !recorder->sink.broken) {
    miss(stream, encoder->events, encoder->first_time);
    reach_limit(recorder);
    return;
  }
  warpo_file_declare_stream(stream);
  uint64_t offset = recorder->sink.size;
  if (write_bytes(recorder, encoder->block, size)) {
    recorder->counts.written += encoder->events;
    warpo_tail_add(&recorder->tail, offset, encoder->events);
    add_to_index(recorder, encoder, offset);
  } else {
    miss(stream, encoder->events, encoder->first_time);
  }
}

void warpo_file_finish_block(warpo_stream_full *stream) { finish_block(stream, false); }

/* Counts the program's events; an entry may instead report that a trace point waited. */
static uint64_t count_events(const warpo_stream_full *stream, const char *begin, const char *end) {
  uint64_t count = 0;
  for (; begin != end; begin += stream->entry_size) {
    warpo_reading read;
    count += warpo_entry(stream->form, 0, begin, &read) != warpo_recorded_id;
  }
  return count;
}

static void write_events(warpo_stream_full *stream, uint64_t base, const char *begin,
                         const char *end) {
  warpo_recorder *recorder = stream->recorder;
  bool is_over = recorder->sink.broken || recorder->streams.stop == warpo_stop_limit;
  if (is_over && begin != end && !stream->encoder.next) {
    warpo_reading first;
    warpo_entry(stream->form, base, begin, &first);
    miss(stream, count_events(stream, begin, end), first.time);
    return;
  }
  while (begin != end) {
    begin = warpo_pack(stream->form, &stream->encoder, &stream->last_read, base, begin, end);
    if (warpo_encoder_is_full(&stream->encoder))
      finish_block(stream, false);
  }
  stream->unrecorded.meaningless = stream->encoder.meaningless;
}

void warpo_file_write_lost(warpo_stream_full *stream, uint64_t time, uint64_t count,
                           warpo_loss_cause cause) {
  warpo_pack_lost(&stream->encoder, time, count, cause);
  if (warpo_encoder_is_full(&stream->encoder))
    finish_block(stream, false);
}

void warpo_file_take(warpo_stream_full *stream, const warpo_chunk *chunk, bool is_first,
                     const char *begin, const char *end, uint64_t chunks, size_t taken) {
  warpo_live_intend(stream);
  if (is_first && chunk->head.lost != 0)
    warpo_file_write_lost(stream, chunk->head.lost_since, chunk->head.lost, warpo_loss_buffer_full);
  stream->recorder->format->write(stream, chunk->head.base, begin, end);
  if (!stream->live)
    return;
  /* Chunks that leave the mapped buffer must be in the file. */
  warpo_file_finish_block(stream);
  warpo_live_commit(stream, chunks, taken);
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

/* Puts an event after all events of the chunks. */
static void put_last(warpo_stream_full *stream, uint64_t now, int32_t id, uint64_t fuel) {
  warpo_streams *streams = stream->shared;
  if (streams->limited && !warpo_take_one(streams)) {
    miss(stream, 1, now);
    return;
  }
  const uint64_t entry[] = {UINT64_C(1) << 32 | (uint32_t)id, fuel};
  write_events(stream, now - 1, (const char *)entry, (const char *)entry + stream->entry_size);
}

static void end_stream(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  const warpo_losses *losses = stream->losses;
  const warpo_unrecorded *unrecorded = &stream->unrecorded;
  warpo_live_intend(stream);
  if (warpo_dropped_last(stream) != 0)
    warpo_file_write_lost(stream, losses->to_buffer.since, warpo_dropped_last(stream),
                          warpo_loss_buffer_full);
  warpo_stream_end_pause(stream, put_last);
  finish_block(stream, false);
  warpo_sections_count(stream);
  uint64_t beyond = losses->to_limit.count + unrecorded->overrun;
  uint64_t failed = losses->to_failure.count + unrecorded->unwritten;
  uint64_t since = unrecorded->overrun || unrecorded->unwritten ? unrecorded->since : 0;
  if (recorder->sink.broken) {
    since = earlier(since, earlier(losses->to_limit.since, losses->to_failure.since));
    if (stream->declared && beyond + failed != 0)
      remember_loss(recorder, (warpo_last_loss){stream->number, since, beyond + failed});
  } else {
    if (beyond + failed == 0)
      warpo_stream_has_ended(stream);
    /* Open calls are not needed after the last event. */
    warpo_encoder_forget(&stream->encoder);
    if (beyond != 0)
      warpo_pack_lost(&stream->encoder, earlier(since, losses->to_limit.since), beyond,
                      warpo_loss_limit);
    if (failed != 0)
      warpo_pack_lost(&stream->encoder, earlier(since, losses->to_failure.since), failed,
                      warpo_loss_write_failed);
    finish_block(stream, true);
  }
  warpo_recorder_counts lost = {0, 0, 0, 0, 0, 0};
  warpo_stream_add_losses(stream, &lost);
  warpo_live_commit_end(stream, warpo_lost(&lost));
}

static bool write_last_losses(warpo_recorder *recorder) {
  bool is_written = true;
  for (size_t i = 0; i < recorder->last_loss_count && is_written; ++i) {
    const warpo_last_loss *loss = &recorder->last_losses[i];
    warpo_event_encoder encoder;
    if (!warpo_encoder_init(&encoder, loss->stream, 4096))
      return true;
    warpo_pack_lost(&encoder, loss->since, loss->count, warpo_loss_write_failed);
    is_written = write_bytes(recorder, encoder.block, warpo_encoder_finish(&encoder));
    warpo_encoder_free(&encoder);
  }
  return is_written;
}

static bool write_end(warpo_recorder *recorder, bool with_index) {
  uint64_t index = with_index ? write_index(recorder) : 0;
  if (recorder->sink.broken)
    return false;
  warpo_recorder_counts counts = warpo_recorder_sum(recorder);
  uint8_t end[warpo_end_block_size];
  warpo_block block = warpo_block_in(end, sizeof(end));
  warpo_begin_end(&block, index, counts.written, warpo_lost(&counts));
  return write_bytes(recorder, end, warpo_finish_block(&block));
}

/* Removes the last blocks with events or samples, and the declarations after them. */
static bool give_up_tail(warpo_recorder *recorder) {
  uint64_t events;
  uint64_t size = warpo_tail_cut(&recorder->tail, recorder->sink.size, &events);
  if (!warpo_sink_cut(&recorder->sink, size))
    return false;
  recorder->counts.written -= events;
  recorder->counts.lost_to_failure += events;
  return true;
}

/* Each attempt needs less room: without the index, then without the places of losses, then without
 * the last events. The number of missing events is kept longest. */
static void try_to_write_end(warpo_recorder *recorder) {
  warpo_sink *sink = &recorder->sink;
  uint64_t size = sink->size;
  bool is_written = write_last_losses(recorder) && write_end(recorder, true);
  if (is_written || !sink->regular)
    return;
  is_written =
      warpo_sink_cut(sink, size) && write_last_losses(recorder) && write_end(recorder, false);
  if (!is_written)
    is_written = warpo_sink_cut(sink, size) && write_end(recorder, false);
  if (!is_written && give_up_tail(recorder))
    (void)write_end(recorder, false);
}

static void end(warpo_recorder *recorder) {
  warpo_sink *sink = &recorder->sink;
  bool was_broken = sink->broken;
  if (was_broken && !sink->regular)
    return;
  sink->broken = false;
  warpo_clock_measure_rate(&recorder->clock);
  uint8_t start[warpo_start_size];
  size_t size = warpo_clock_put_start(&recorder->clock, start);
  if (sink->regular && sink->size < size) {
    if (sink->size == 0 || warpo_sink_cut(sink, 0))
      begin(recorder);
  } else if (sink->regular) {
    warpo_sink_correct(sink, 0, start, size);
  } else if (!warpo_is_timeless(&recorder->streams)) {
    write_bytes(recorder, start + warpo_signature_size, size - warpo_signature_size);
  }
  try_to_write_end(recorder);
  sink->broken = sink->broken || was_broken;
}

const warpo_file_format warpo_warpo_format = {
    .has_names = true,
    .has_writer = true,
    .max_age = UINT64_C(1) << 32,
    .begin = begin,
    .make_encoder = make_encoder,
    .reserve = reserve,
    .write = write_events,
    .end_stream = end_stream,
    .end = end,
};
