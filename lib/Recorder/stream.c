/* SPDX-License-Identifier: Apache-2.0 */
/* Opens, flushes and closes streams, and sizes their buffers. */
#define _GNU_SOURCE /* syscall */
#include "files.h"
#include "warpo/Recorder/measure_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  /* Chunks of a stream: enough that the writer may be late, and that a ring gives up little at a
   * time. At least two, so that the drain can distinguish consecutive chunks. */
  own_chunks = 2, /* of a stream that drains itself */
  event_chunks = 4,
  ring_chunks = 16,
  default_buffer = 256 << 10,
  default_ring = 1 << 20,
  least_chunk = 512,
  /* Closed streams of a ring whose events are kept. */
  kept_streams = 16,
};

static void choose_sizes(warpo_stream_full *stream) {
  const warpo_recorder_options *options = &stream->recorder->options;
  if (!stream->recorder->format->has_writer) {
    stream->chunk_count = own_chunks;
    stream->chunk_bytes =
        (options->stream_records ? options->stream_records : 1) * stream->entry_size;
    return;
  }
  bool ring = options->policy == WARPO_POLICY_RING;
  size_t bytes = options->buffer_bytes;
  if (bytes == 0)
    bytes = ring ? default_ring : default_buffer;
  /* A stream that drains itself needs no more. They are as large as the halves of JavaScript's
   * buffer, because the size decides the order of blocks of different streams. */
  size_t chunks = warpo_is_timeless(stream->shared) ? own_chunks : event_chunks;
  stream->chunk_count = ring ? ring_chunks : chunks;
  stream->chunk_bytes = bytes / stream->chunk_count;
  if (stream->chunk_bytes < least_chunk)
    stream->chunk_bytes = least_chunk;
  stream->chunk_bytes -= stream->chunk_bytes % warpo_entry_size(warpo_entry_fuel_event);
}

static bool allocate_buffer(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  choose_sizes(stream);
  size_t bytes = stream->chunk_count * stream->chunk_bytes;
  bool is_possible = stream->chunk_bytes <= SIZE_MAX / 2 / stream->chunk_count;
  if (recorder->live.header && is_possible) {
    stream->live = warpo_live_allocate(recorder, bytes);
    stream->buffer = stream->live ? warpo_live_buffer(stream->live) : NULL;
    stream->losses = stream->live ? &stream->live->losses : &stream->own_losses;
  } else if (is_possible) {
    stream->buffer = malloc(bytes);
  }
  if (!stream->buffer)
    warpo_sink_fail(&recorder->sink, "no memory for the buffer of a stream", ENOMEM);
  return stream->buffer;
}

void warpo_stream_release(warpo_stream_full *stream) {
  warpo_stream_forget_modules(stream);
  warpo_encoder_free(&stream->encoder);
  free(stream->chunks);
  warpo_pause_free(&stream->pause);
  if (stream->live)
    warpo_live_release(stream->recorder, stream->live);
  else
    free(stream->buffer);
  free(stream);
}

/* From now on only the recorder counts the stream's losses. Returns their number. */
static uint64_t hand_losses_over(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  warpo_recorder_counts lost = {0, 0, 0, 0, 0, 0};
  warpo_stream_add_losses(stream, &lost);
  warpo_stream_add_losses(stream, &recorder->counts);
  uint64_t sum = warpo_lost(&lost);
  atomic_fetch_add_explicit(&recorder->gone, sum, memory_order_relaxed);
  return sum;
}

/* If many closed streams of a ring are kept, the one closed first; else NULL. */
static warpo_stream_full *find_free(warpo_recorder *recorder, warpo_entry_form form,
                                    uint64_t measure) {
  size_t found = 0;
  warpo_stream_full *oldest = NULL;
  for (warpo_stream_full *stream = recorder->streams.first; stream; stream = stream->following)
    if (stream->is_free && stream->form == form && stream->measure == measure) {
      ++found;
      if (!oldest || stream->closed < oldest->closed)
        oldest = stream;
    }
  return found >= kept_streams && !atomic_load(&recorder->streams.dumping) ? oldest : NULL;
}

/* Gives up the events of a ring's closed stream. */
static void empty_ring(warpo_stream_full *stream) {
  warpo_stream_forget_modules(stream);
  stream->given_up += warpo_ring_count(stream);
  warpo_live_commit_end(stream, hand_losses_over(stream));
  memset(stream->losses, 0, sizeof(*stream->losses));
  stream->filled = stream->drained = stream->given_up = stream->lost_before = 0;
  stream->switched_off = 0;
}

static warpo_stream_full *make_stream(warpo_recorder *recorder, warpo_entry_form form,
                                      uint64_t measure) {
  warpo_stream_full *stream = calloc(1, sizeof(*stream));
  if (!stream)
    return NULL;
  stream->recorder = recorder;
  stream->shared = &recorder->streams;
  stream->form = form;
  stream->entry_size = warpo_entry_size(form);
  stream->measure = measure;
  stream->number = recorder->next_stream;
  stream->losses = &stream->own_losses;
  stream->refused = !allocate_buffer(stream);
  stream->chunks = calloc(stream->chunk_count, sizeof(*stream->chunks));
  if (stream->chunks && recorder->format->make_encoder(stream))
    return stream;
  warpo_stream_release(stream);
  return NULL;
}

bool warpo_declare_measure(warpo_recorder *recorder, uint64_t clock) {
  if (recorder->options.clock == WARPO_CLOCK_FUEL || recorder->measures[clock - 1].declared)
    return true;
  warpo_declaration *made = malloc(sizeof(*made) + warpo_clock_block_size);
  if (!made)
    return false;
  atomic_init(&made->following, NULL);
  made->size =
      warpo_clock_put_measure_block(clock, recorder->measures[clock - 1].name, made->block);
  warpo_declare(recorder, made);
  recorder->measures[clock - 1].declared = true;
  return true;
}

/* The number of a measure's clock (`measure` NULL: fuel); 0 if the record cannot have it. */
static uint64_t number_of(warpo_recorder *recorder, const char *measure) {
  if (!measure)
    return warpo_clock_fuel;
  size_t size = strlen(measure);
  size_t word = strcspn(measure, ":");
  if (size >= warpo_clock_name_size || !warpo_is_clock_name(measure, size))
    return 0;
  for (uint64_t clock = warpo_clock_fuel; clock <= warpo_max_measures; ++clock) {
    char *name = recorder->measures[clock - 1].name;
    if (name[0] == '\0')
      memcpy(name, measure, size + 1);
    /* The same measure with another unit would be the same to readers. */
    if (strcspn(name, ":") == word && memcmp(name, measure, word) == 0)
      return strcmp(name, measure) == 0 ? clock : 0;
  }
  return 0;
}

/* Returns why the record can have no such stream, with an errno; NULL if it can. Sets `number` to
 * the clock that its entries count beside time (0: none). */
static const char *find_place(warpo_recorder *recorder, uint64_t module, warpo_entry_form form,
                              const char *measure, uint64_t *number, int *error) {
  *number = 0;
  if (recorder->format->lacks_stream) {
    const char *lack = recorder->format->lacks_stream(recorder, module, form, error);
    if (lack)
      return lack;
  }
  if (form != warpo_entry_fuel_event)
    return NULL;
  bool fuel_is_time = recorder->options.clock == WARPO_CLOCK_FUEL;
  if (!fuel_is_time)
    *number = number_of(recorder, measure);
  if (fuel_is_time ? !measure : *number != 0)
    return NULL;
  *error = EINVAL;
  return "a measure that the record has no place for";
}

/* `measure`: what entries with a count have; NULL: fuel. */
static warpo_stream_full *create(warpo_recorder *recorder, uint64_t module, warpo_entry_form form,
                                 const char *measure) {
  pthread_mutex_lock(&recorder->streams.lock);
  uint64_t number = 0;
  int wrong_number = 0;
  const char *wrong = find_place(recorder, module, form, measure, &number, &wrong_number);
  warpo_stream_full *stream = find_free(recorder, form, number);
  bool reused = stream != NULL;
  if (reused)
    empty_ring(stream);
  else
    stream = make_stream(recorder, form, number);
  uint64_t module_number = warpo_module_number(recorder, module);
  bool is_declared = number == 0 || warpo_declare_measure(recorder, number);
  if (!stream || !is_declared || module_number == UINT64_MAX) {
    warpo_sink_fail(&recorder->sink, "no memory for a stream", ENOMEM);
    if (stream && !reused)
      warpo_stream_release(stream);
    pthread_mutex_unlock(&recorder->streams.lock);
    return NULL;
  }
  stream->module_number = module_number;
  stream->thread = warpo_thread_number(recorder);
  stream->module = module;
  if (stream->refused || wrong || !warpo_stream_continues(stream))
    stream->number = recorder->next_stream++;
  stream->encoder.stream = stream->number;
  /* A reused stream may stem from before a fork. */
  if (!reused)
    stream->process = recorder->waits_for_event ? 0 : recorder->streams.process;
  stream->is_free = false;
  recorder->format->reserve(stream);
  warpo_recorder_clock clock = recorder->options.clock;
  stream->one_by_one = recorder->streams.limited || clock == WARPO_CLOCK_MONOTONIC;
  warpo_live_begin_stream(stream);
  warpo_pause_forget(&stream->pause);
  __atomic_store_n(&stream->head.base, warpo_clock_now(clock), __ATOMIC_SEQ_CST);
  if (wrong) {
    stream->refused = true;
    warpo_sink_fail(&recorder->sink, wrong, wrong_number);
  }
  if (!reused) {
    pthread_mutex_lock(&recorder->streams.state_lock);
    warpo_stream_full *_Atomic *link = &recorder->streams.first;
    while (*link)
      link = &(*link)->following;
    *link = stream;
    pthread_mutex_unlock(&recorder->streams.state_lock);
  }
  atomic_store(&stream->off_since, 0);
  if (atomic_load(&recorder->streams.off))
    warpo_stream_switch_off(stream);
  bool is_ring = recorder->options.policy == WARPO_POLICY_RING;
  if (warpo_is_timeless(&recorder->streams) && !is_ring && stream->has_place &&
      warpo_writes_now(recorder))
    warpo_file_declare_stream(stream);
  pthread_mutex_unlock(&recorder->streams.lock);
  return stream;
}

uint64_t warpo_thread_number(const warpo_recorder *recorder) {
  return warpo_is_timeless(&recorder->streams) ? 0 : (uint64_t)syscall(SYS_gettid);
}

static warpo_event_stream *open_events(warpo_recorder *recorder, uint64_t module,
                                       warpo_entry_form form, const char *measure) {
  if (!recorder)
    return NULL;
  warpo_stream_full *stream = create(recorder, module, form, measure);
  return stream ? &stream->head : NULL;
}

warpo_event_stream *warpo_event_stream_open(warpo_recorder *recorder, uint64_t module) {
  return open_events(recorder, module, warpo_entry_event, NULL);
}

warpo_event_stream *warpo_event_stream_open_fuel(warpo_recorder *recorder, uint64_t module) {
  return open_events(recorder, module, warpo_entry_fuel_event, NULL);
}

warpo_event_stream *warpo_event_stream_open_measured(warpo_recorder *recorder, uint64_t module,
                                                     const char *measure) {
  return open_events(recorder, module, warpo_entry_fuel_event, measure);
}

void warpo_stream_remove(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  warpo_stream_hand_over(stream);
  if (recorder->options.policy != WARPO_POLICY_RING &&
      stream->process == recorder->streams.process) {
    warpo_drain(stream);
    if (!recorder->finished)
      recorder->format->end_stream(stream);
  }
  uint64_t lost = hand_losses_over(stream);
  if (recorder->options.policy == WARPO_POLICY_RING)
    warpo_live_commit_end(stream, lost);
  pthread_mutex_lock(&recorder->streams.state_lock);
  warpo_stream_full *_Atomic *link = &recorder->streams.first;
  while (*link != stream)
    link = &(*link)->following;
  *link = stream->following;
  pthread_mutex_unlock(&recorder->streams.state_lock);
  warpo_stream_release(stream);
}

void warpo_event_stream_close(warpo_event_stream *head) {
  if (!head)
    return;
  warpo_stream_full *stream = warpo_full(head);
  warpo_recorder *recorder = stream->recorder;
  warpo_stream_end_pause(stream, warpo_stream_store);
  warpo_pause_forget(&stream->pause);
  pthread_mutex_lock(&recorder->streams.lock);
  if (recorder->options.policy == WARPO_POLICY_RING && !stream->refused) {
    warpo_stream_hand_over(stream);
    stream->closed = recorder->closed_streams++;
    stream->is_free = true;
  } else {
    warpo_stream_remove(stream);
  }
  pthread_mutex_unlock(&recorder->streams.lock);
}

void warpo_event_stream_flush(warpo_event_stream *head) {
  if (!head)
    return;
  warpo_stream_full *stream = warpo_full(head);
  warpo_recorder *recorder = stream->recorder;
  if (recorder->options.policy == WARPO_POLICY_RING || stream->process != recorder->streams.process)
    return;
  warpo_stream_hand_over(stream);
  pthread_mutex_lock(&recorder->streams.lock);
  warpo_drain(stream);
  warpo_file_finish_block(stream);
  pthread_mutex_unlock(&recorder->streams.lock);
}
