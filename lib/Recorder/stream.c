/* Streams: how they are opened, flushed and closed, and how much memory they have. */
#define _GNU_SOURCE /* syscall */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  /* Chunks of a stream: enough that the writer may be late, and that a ring gives up little at a
   * time. Two are the least: who drains must be able to tell one from the next. */
  record_chunks = 2,
  event_chunks = 4,
  ring_chunks = 16,
  default_buffer = 256 << 10,
  default_ring = 1 << 20,
  least_chunk = 512,
  least_block = 1 << 12,
  largest_block = 1 << 16,
  /* Streams of a ring that were closed and whose events are kept. */
  kept_streams = 16,
};

static void choose_sizes(warpo_stream_full *stream) {
  const warpo_recorder_options *options = &stream->recorder->options;
  if (options->format == WARPO_FORMAT_WARP) {
    stream->chunk_count = record_chunks;
    stream->chunk_bytes =
        (options->stream_records ? options->stream_records : 1) * sizeof(warpo_record);
    return;
  }
  bool ring = options->policy == WARPO_POLICY_RING;
  size_t bytes = options->buffer_bytes;
  if (bytes == 0)
    bytes = ring ? default_ring : default_buffer;
  stream->chunk_count = ring ? ring_chunks : event_chunks;
  stream->chunk_bytes = bytes / stream->chunk_count;
  if (stream->chunk_bytes < least_chunk)
    stream->chunk_bytes = least_chunk;
  stream->chunk_bytes -= stream->chunk_bytes % sizeof(warpo_record);
}

static bool allocate(warpo_stream_full *stream) {
  choose_sizes(stream);
  const warpo_recorder_options *options = &stream->recorder->options;
  if (stream->chunk_bytes > SIZE_MAX / 2 / stream->chunk_count)
    return false;
  stream->chunks = calloc(stream->chunk_count, sizeof(*stream->chunks));
  size_t bytes = stream->chunk_count * stream->chunk_bytes;
  if (stream->recorder->live.header) {
    stream->live = warpo_live_allocate(stream->recorder, bytes);
    stream->buffer = stream->live ? warpo_live_buffer(stream->live) : NULL;
  } else {
    stream->buffer = malloc(bytes);
  }
  if (!stream->chunks || !stream->buffer)
    return false;
  return options->format != WARPO_FORMAT_WARPO || options->policy == WARPO_POLICY_RING ||
         warpo_stream_make_encoder(stream);
}

/* What the limit of the file has no room for is lost by whole blocks, so a low one makes them
 * small. */
static size_t block_size(const warpo_recorder_options *options) {
  uint64_t part = options->max_bytes / 16;
  return part < least_block ? least_block : part < largest_block ? (size_t)part : largest_block;
}

bool warpo_stream_make_encoder(warpo_stream_full *stream) {
  const warpo_recorder_options *options = &stream->recorder->options;
  if (!warpo_encoder_init(&stream->encoder, stream->number, block_size(options)))
    return false;
  stream->encoder.has_fuel = stream->has_fuel;
  return true;
}

void warpo_stream_release(warpo_stream_full *stream) {
  warpo_encoder_free(&stream->encoder);
  free(stream->chunks);
  if (stream->live)
    warpo_live_release(stream->recorder, stream->live);
  else
    free(stream->buffer);
  free(stream);
}

/* A closed stream of a ring, the one that was closed first of many; NULL if there are few. */
static warpo_stream_full *find_free(warpo_recorder *recorder, warpo_entry_form form,
                                    bool has_records) {
  size_t found = 0;
  warpo_stream_full *oldest = NULL;
  for (warpo_stream_full *stream = recorder->streams; stream; stream = stream->following)
    if (stream->is_free && stream->form == form && stream->has_records == has_records) {
      ++found;
      if (!oldest || stream->closed < oldest->closed)
        oldest = stream;
    }
  return found >= kept_streams && !atomic_load(&recorder->dumping) ? oldest : NULL;
}

/* Gives up what a closed stream of a ring holds. */
static void empty_ring(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  recorder->counts.lost_to_buffer += warpo_ring_count(stream) + stream->lost_to_buffer;
  recorder->counts.lost_to_limit += stream->lost_to_limit.count;
  recorder->counts.lost_to_failure += stream->lost_to_failure.count;
  stream->lost_to_buffer = stream->lost_to_limit.count = stream->lost_to_failure.count = 0;
  stream->filled = stream->drained = stream->overwritten = stream->dropped.count = 0;
}

static warpo_stream_full *make_stream(warpo_recorder *recorder, warpo_entry_form form,
                                      bool has_records) {
  warpo_stream_full *stream = calloc(1, sizeof(*stream));
  if (!stream)
    return NULL;
  stream->recorder = recorder;
  stream->has_records = has_records;
  stream->form = form;
  stream->entry_size = warpo_entry_size(form);
  stream->has_fuel = form == warpo_entry_fuel_event && recorder->options.clock != WARPO_CLOCK_FUEL;
  stream->number = recorder->next_stream;
  if (allocate(stream))
    return stream;
  warpo_stream_release(stream);
  return NULL;
}

static const char *contradiction(const warpo_recorder *recorder, warpo_entry_form form,
                                 bool has_records) {
  if (has_records && recorder->options.clock != WARPO_CLOCK_COUNTER)
    return "only streams of events have another clock";
  if (form == warpo_entry_fuel_event && recorder->options.format == WARPO_FORMAT_WARP)
    return "the format warp has no place for fuel";
  return NULL;
}

bool warpo_declare_fuel(warpo_recorder *recorder) {
  if (recorder->has_fuel_clock || recorder->options.clock == WARPO_CLOCK_FUEL)
    return true;
  warpo_declaration *made = malloc(sizeof(*made) + warpo_clock_block_size);
  if (!made)
    return false;
  warpo_clock_info clock;
  warpo_clock_start(&clock, WARPO_CLOCK_FUEL, recorder->fuel_costs);
  clock.wall = 0;
  atomic_init(&made->following, NULL);
  made->size = warpo_clock_put_block(&clock, warpo_clock_fuel, made->block);
  warpo_declare(recorder, made);
  recorder->has_fuel_clock = true;
  return true;
}

static warpo_stream_full *create(warpo_recorder *recorder, uint64_t module, warpo_entry_form form,
                                 bool has_records) {
  pthread_mutex_lock(&recorder->lock);
  /* Events of the format warp are records too. */
  const char *wrong = contradiction(recorder, form, has_records);
  if (recorder->options.format == WARPO_FORMAT_WARP && form == warpo_entry_event)
    form = warpo_entry_record;
  warpo_stream_full *stream = find_free(recorder, form, has_records);
  bool reused = stream != NULL;
  if (reused)
    empty_ring(stream);
  else
    stream = make_stream(recorder, form, has_records);
  uint64_t module_number =
      recorder->options.format == WARPO_FORMAT_WARPO ? warpo_module_number(recorder, module) : 0;
  bool has_clock = wrong || form != warpo_entry_fuel_event || warpo_declare_fuel(recorder);
  if (!stream || !has_clock || module_number == UINT64_MAX) {
    warpo_sink_fail(&recorder->sink, "no memory for a stream", ENOMEM);
    if (stream && !reused)
      warpo_stream_release(stream);
    pthread_mutex_unlock(&recorder->lock);
    return NULL;
  }
  stream->module_number = module_number;
  stream->number = recorder->next_stream++;
  stream->encoder.stream = stream->number;
  stream->thread = (uint64_t)syscall(SYS_gettid);
  stream->module = module;
  /* A stream that is used again may still be one of before a fork. */
  if (!reused)
    stream->process = recorder->waits_for_event ? 0 : recorder->process;
  stream->is_free = false;
  warpo_file_reserve(stream);
  warpo_recorder_clock clock = recorder->options.clock;
  bool wide_events = !has_records && form == warpo_entry_record;
  bool fuel_is_time = form == warpo_entry_fuel_event && clock == WARPO_CLOCK_FUEL;
  stream->one_by_one =
      recorder->limited || wide_events || fuel_is_time || clock == WARPO_CLOCK_MONOTONIC;
  warpo_live_begin_stream(stream);
  if (has_records)
    stream->head.records.module = module;
  *warpo_stream_base(stream) = warpo_clock_now(clock);
  if (recorder->options.format == WARPO_FORMAT_WARP)
    for (warpo_stream_full *other = recorder->streams; other; other = other->following)
      if (other->module == module && !other->refused)
        stream->refused = true;
  if (stream->refused)
    warpo_sink_fail(&recorder->sink, "a second stream of the same module at the same time", EBUSY);
  if (wrong) {
    stream->refused = true;
    warpo_sink_fail(&recorder->sink, wrong, EINVAL);
  }
  if (!reused) {
    pthread_mutex_lock(&recorder->state_lock);
    stream->following = recorder->streams;
    recorder->streams = stream;
    pthread_mutex_unlock(&recorder->state_lock);
  }
  pthread_mutex_unlock(&recorder->lock);
  return stream;
}

warpo_stream *warpo_stream_open(warpo_recorder *recorder, uint64_t module) {
  if (!recorder)
    return NULL;
  warpo_stream_full *stream = create(recorder, module, warpo_entry_record, true);
  return stream ? &stream->head.records : NULL;
}

static warpo_event_stream *open_events(warpo_recorder *recorder, uint64_t module,
                                       warpo_entry_form form) {
  if (!recorder)
    return NULL;
  warpo_stream_full *stream = create(recorder, module, form, false);
  return stream ? &stream->head.events : NULL;
}

warpo_event_stream *warpo_event_stream_open(warpo_recorder *recorder, uint64_t module) {
  return open_events(recorder, module, warpo_entry_event);
}

warpo_event_stream *warpo_event_stream_open_fuel(warpo_recorder *recorder, uint64_t module) {
  return open_events(recorder, module, warpo_entry_fuel_event);
}

void warpo_stream_remove(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  warpo_stream_hand_over(stream);
  if (recorder->options.policy != WARPO_POLICY_RING && stream->process == recorder->process) {
    warpo_drain(stream);
    if (recorder->options.format == WARPO_FORMAT_WARPO && !recorder->finished)
      warpo_file_end_stream(stream);
  }
  recorder->counts.lost_to_limit += stream->lost_to_limit.count + stream->overrun;
  recorder->counts.lost_to_failure += stream->lost_to_failure.count + stream->unwritten;
  recorder->counts.lost_to_buffer += stream->lost_to_buffer;
  pthread_mutex_lock(&recorder->state_lock);
  warpo_stream_full *_Atomic *link = &recorder->streams;
  while (*link != stream)
    link = &(*link)->following;
  *link = stream->following;
  pthread_mutex_unlock(&recorder->state_lock);
  warpo_stream_release(stream);
}

static void close_stream(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  pthread_mutex_lock(&recorder->lock);
  if (recorder->options.policy == WARPO_POLICY_RING) {
    warpo_stream_hand_over(stream);
    stream->closed = recorder->closed_streams++;
    stream->is_free = true;
  } else {
    warpo_stream_remove(stream);
  }
  pthread_mutex_unlock(&recorder->lock);
}

void warpo_stream_close(warpo_stream *stream) {
  if (stream)
    close_stream(warpo_full(stream));
}

void warpo_event_stream_close(warpo_event_stream *stream) {
  if (stream)
    close_stream(warpo_full_of_events(stream));
}

static void flush(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  if (recorder->options.policy == WARPO_POLICY_RING || stream->process != recorder->process)
    return;
  warpo_stream_hand_over(stream);
  pthread_mutex_lock(&recorder->lock);
  warpo_drain(stream);
  warpo_file_finish_block(stream);
  pthread_mutex_unlock(&recorder->lock);
}

void warpo_stream_flush(warpo_stream *stream) {
  if (stream)
    flush(warpo_full(stream));
}

void warpo_event_stream_flush(warpo_event_stream *stream) {
  if (stream)
    flush(warpo_full_of_events(stream));
}
