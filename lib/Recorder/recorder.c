/* SPDX-License-Identifier: Apache-2.0 */
/* A record's handle: opens and closes it, and reports its errors and losses. */
#define _POSIX_C_SOURCE 200809L /* strdup, pthread_condattr_setclock */
#include "process.h"
#include "warpo/Recorder/measure_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* The least size of a record in either format. */
enum { least_record = 512 };

/* ---- Opening ---- */

static const warpo_file_format *format_of(const warpo_recorder_options *options) {
  return options->format == WARPO_FORMAT_WARP ? &warpo_warp_format : &warpo_warpo_format;
}

enum { most_of_costs = 48 };

/* The first conflict between options; NULL if there is none. */
static const char *contradiction(const warpo_recorder_options *options) {
  if (options->format > WARPO_FORMAT_WARPO)
    return "there is no such format";
  if (options->policy > WARPO_POLICY_RING)
    return "there is no such policy";
  if (options->clock > WARPO_CLOCK_FUEL)
    return "there is no such clock";
  if (options->max_bytes < least_record)
    return "max_bytes is less than the size of a record without events";
  const char *costs = options->fuel_costs;
  if (costs &&
      (strnlen(costs, most_of_costs + 1) > most_of_costs || !warpo_is_word(costs, strlen(costs))))
    return "fuel_costs is not a name of up to 48 letters, digits, '-' and '_'";
  const warpo_file_format *format = format_of(options);
  if (options->starts_off && !format->has_names)
    return "the format warp has no place to say that recording is switched off";
  return format->lacks_option ? format->lacks_option(options) : NULL;
}

static bool make_ring(warpo_recorder *recorder) {
  warpo_event_encoder *encoder = &recorder->dump_encoder;
  if (!warpo_encoder_init(encoder, 0, warpo_events_block_size))
    return false;
  /* A dump must not allocate. */
  while (encoder->capacity < warpo_max_known_calls) {
    uint32_t before = encoder->capacity;
    warpo_encoder_grow(encoder);
    if (encoder->capacity == before)
      return false;
  }
  warpo_crc32c(0, "", 0); /* which makes its tables the first time */
  return true;
}

void warpo_recorder_begin(warpo_recorder *recorder, const char *file, int fd) {
  warpo_sink_open(&recorder->sink, file, fd);
  warpo_clock_start(&recorder->clock, recorder->options.clock,
                    recorder->measures[warpo_clock_fuel - 1].name);
  warpo_live_open(recorder);
  bool is_ring = recorder->options.policy == WARPO_POLICY_RING;
  if (!recorder->sink.broken && (!is_ring || recorder->live.header))
    recorder->format->begin(recorder);
  /* With a writer thread, block boundaries would differ from run to run. */
  if (recorder->format->has_writer && !is_ring && !warpo_is_timeless(&recorder->streams))
    warpo_writer_start(&recorder->streams);
  if (is_ring && !recorder->dump_encoder.block && !make_ring(recorder)) {
    warpo_sink_fail(&recorder->sink, "no memory for a ring", ENOMEM);
    recorder->sink.broken = true;
  }
  atomic_store(&recorder->streams.stop, recorder->sink.broken ? warpo_stop_failed : warpo_running);
}

void warpo_recorder_init_locks(warpo_recorder *recorder) {
  pthread_mutex_init(&recorder->streams.lock, NULL);
  pthread_mutex_init(&recorder->streams.state_lock, NULL);
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&recorder->streams.work, &monotonic);
  pthread_cond_init(&recorder->streams.space, NULL);
  pthread_condattr_destroy(&monotonic);
}

static void fail(warpo_recorder *recorder, const char *what, int error) {
  warpo_sink_fail(&recorder->sink, what, error);
}

static const warpo_stream_calls stream_calls = {
    .take = warpo_file_take,
    .finish_block = warpo_file_finish_block,
    .flush = warpo_samples_flush,
    .follow = warpo_process_follow,
    .name_pause = warpo_name_pause,
    .fail = fail,
};
static const warpo_file_calls file_calls = {.begin_record = warpo_process_begin_record};

static warpo_recorder *make_recorder(const warpo_recorder_options *options) {
  warpo_recorder *recorder = calloc(1, sizeof(*recorder));
  if (!recorder)
    return NULL;
  recorder->calls = &file_calls;
  recorder->format = format_of(options);
  recorder->streams.calls = &stream_calls;
  recorder->streams.recorder = recorder;
  recorder->streams.policy = options->policy;
  recorder->streams.clock = options->clock;
  recorder->streams.max_age = recorder->format->max_age;
  recorder->options = *options;
  recorder->options.file = recorder->options.fuel_costs = NULL;
  snprintf(recorder->measures[warpo_clock_fuel - 1].name, warpo_clock_name_size, "%s%s%s",
           WARPO_FUEL_CLOCK, options->fuel_costs ? ":" : "",
           options->fuel_costs ? options->fuel_costs : "");
  recorder->file = options->file ? strdup(options->file) : NULL;
  recorder->streams.process = getpid();
  recorder->sink.fd = recorder->live.fd = -1;
  recorder->streams.limited = options->max_items != WARPO_NO_LIMIT;
  atomic_init(&recorder->streams.room, options->max_items);
  atomic_init(&recorder->streams.off, options->starts_off != 0);
  warpo_recorder_init_locks(recorder);
  return recorder;
}

/* A recorder that could not be opened and reports why. */
static warpo_recorder *refuse(const char *what) {
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  warpo_recorder *recorder = make_recorder(&options);
  if (!recorder)
    return NULL;
  recorder->sink.broken = true;
  warpo_sink_fail(&recorder->sink, what, EINVAL);
  atomic_init(&recorder->streams.stop, warpo_stop_failed);
  recorder->finished = true;
  return recorder;
}

warpo_recorder *warpo_recorder_open(const warpo_recorder_options *options) {
  const char *wrong = contradiction(options);
  if (wrong)
    return refuse(wrong);
  warpo_recorder *recorder = make_recorder(options);
  if (!recorder)
    return NULL;
  warpo_recorder_begin(recorder, options->file, options->fd);
  warpo_process_add(recorder);
  return recorder;
}

warpo_recorder *warpo_recorder_open_from_environment(void) {
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  if (!warpo_environment_file(&options))
    return NULL;
  const char *wrong = warpo_environment_limit(&options);
  if (!wrong)
    wrong = warpo_recorder_read_environment(&options);
  return wrong ? refuse(wrong) : warpo_recorder_open(&options);
}

/* ---- Closing ---- */

static uint64_t count_held(warpo_recorder *recorder) {
  uint64_t held = 0;
  for (warpo_stream_full *stream = recorder->streams.first; stream; stream = stream->following)
    held += warpo_ring_count(stream);
  return held;
}

static void finish_ring(warpo_recorder *recorder) {
  warpo_recorder_counts *counts = &recorder->counts;
  const warpo_dump_sum *dump = &recorder->dump;
  for (warpo_stream_full *stream = recorder->streams.first; stream; stream = stream->following)
    warpo_stream_end_pause(stream, warpo_stream_store);
  bool is_new = false, was_written = recorder->has_dump;
  /* A pipe takes only one record. */
  int error = 0;
  if (!was_written || recorder->sink.regular)
    error = warpo_ring_dump(recorder, -1, &is_new);
  if (error)
    warpo_sink_fail(&recorder->sink, "cannot write", error);
  counts->written += dump->events;
  counts->meaningless += dump->meaningless;
  if (is_new) {
    counts->lost_to_failure += dump->missed;
    return;
  }
  /* If an earlier dump stays, all events held now are lost except those it has. The rings may have
   * given up some of these since, and counted them as lost; the sum is still right (modulo 2^64 on
   * the way). */
  uint64_t lost = count_held(recorder) - dump->events - dump->meaningless;
  *(was_written ? &counts->lost_to_buffer : &counts->lost_to_failure) += lost;
}

static void finish_file(warpo_recorder *recorder) {
  warpo_samples_flush(recorder);
  for (warpo_stream_full *stream = recorder->streams.first; stream; stream = stream->following)
    warpo_drain_all(stream);
  for (warpo_stream_full *stream = recorder->streams.first; stream; stream = stream->following)
    recorder->format->end_stream(stream);
  recorder->format->end(recorder);
}

void warpo_recorder_finish(warpo_recorder *recorder) {
  warpo_writer_stop(&recorder->streams);
  pthread_mutex_lock(&recorder->streams.lock);
  if (!recorder->finished && !recorder->waits_for_event) {
    if (recorder->options.policy == WARPO_POLICY_RING)
      finish_ring(recorder);
    else
      finish_file(recorder);
    warpo_sink_close(&recorder->sink);
  }
  warpo_live_close(recorder);
  recorder->sink.broken = true;
  recorder->finished = true;
  recorder->streams.has_writer = false;
  atomic_store(&recorder->streams.stop, warpo_stop_failed);
  pthread_mutex_unlock(&recorder->streams.lock);
}

void warpo_recorder_close(warpo_recorder *recorder) {
  if (!recorder)
    return;
  warpo_process_remove(recorder);
  warpo_recorder_finish(recorder);
  pthread_mutex_lock(&recorder->streams.lock);
  while (recorder->streams.first)
    warpo_stream_remove(recorder->streams.first);
  warpo_samples_free(recorder);
  pthread_mutex_unlock(&recorder->streams.lock);
}

void warpo_recorder_free(warpo_recorder *recorder) {
  if (!recorder)
    return;
  warpo_recorder_close(recorder);
  while (recorder->declarations) {
    warpo_declaration *first = recorder->declarations;
    recorder->declarations = first->following;
    free(first);
  }
  if (recorder->dump_encoder.block)
    warpo_encoder_free(&recorder->dump_encoder);
  pthread_cond_destroy(&recorder->streams.work);
  pthread_cond_destroy(&recorder->streams.space);
  pthread_mutex_destroy(&recorder->streams.state_lock);
  pthread_mutex_destroy(&recorder->streams.lock);
  if (recorder->live.mapped)
    munmap(recorder->live.mapped, warpo_live_page);
  free(recorder->converted);
  free(recorder->modules);
  free(recorder->index);
  warpo_ended_streams_free(recorder->ended_streams);
  free(recorder->last_losses);
  warpo_sections_free(&recorder->sections);
  free(recorder->sink.name);
  free(recorder->sink.error_text);
  free(recorder->file);
  free(recorder);
}

/* ---- On and off ---- */

int warpo_recorder_set_enabled(warpo_recorder *recorder, int enabled) {
  if (!recorder)
    return 0;
  if (!recorder->format->has_names)
    return ENOTSUP;
  warpo_streams *streams = &recorder->streams;
  pthread_mutex_lock(&streams->state_lock);
  atomic_store(&streams->off, !enabled);
  for (warpo_stream_full *stream = enabled ? NULL : streams->first; stream;
       stream = stream->following)
    warpo_stream_switch_off(stream);
  pthread_mutex_unlock(&streams->state_lock);
  return 0;
}

int warpo_recorder_is_enabled(const warpo_recorder *recorder) {
  return recorder && !atomic_load(&recorder->streams.off);
}

/* ---- What is known ---- */

/* Const, because callers cannot see a change of the lock. */
static void lock(const warpo_recorder *recorder) {
  pthread_mutex_lock((pthread_mutex_t *)&recorder->streams.lock);
}
static void unlock(const warpo_recorder *recorder) {
  pthread_mutex_unlock((pthread_mutex_t *)&recorder->streams.lock);
}

int warpo_recorder_error(const warpo_recorder *recorder) {
  if (!recorder)
    return 0;
  lock(recorder);
  int error = recorder->sink.error;
  unlock(recorder);
  return error;
}

const char *warpo_recorder_error_text(const warpo_recorder *recorder) {
  if (!recorder)
    return "";
  lock(recorder);
  const char *text = recorder->sink.error_text;
  int error = recorder->sink.error;
  unlock(recorder);
  return text ? text : error ? "the record failed, and memory is short" : "";
}

warpo_clock_rate warpo_recorder_get_rate(const warpo_recorder *recorder) {
  if (!recorder)
    return (warpo_clock_rate){0, 0};
  lock(recorder);
  warpo_clock_info clock = recorder->clock;
  unlock(recorder);
  if (clock.origin == 0)
    return (warpo_clock_rate){0, 0};
  warpo_clock_measure_rate(&clock);
  return (warpo_clock_rate){clock.nanoseconds, clock.counts};
}

warpo_recorder_counts warpo_recorder_get_counts(const warpo_recorder *recorder) {
  warpo_recorder_counts counts = {0, 0, 0, 0, 0, 0};
  if (!recorder)
    return counts;
  lock(recorder);
  counts = warpo_recorder_sum(recorder);
  unlock(recorder);
  return counts;
}
