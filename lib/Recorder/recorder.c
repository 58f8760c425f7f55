/* The handle of a record: opening, closing, and what is known about errors and losses. */
#define _POSIX_C_SOURCE 200809L /* strdup, pthread_condattr_setclock */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Bytes of a record of either format that are there in any case. */
enum { least_record = 512 };

/* ---- Opening ---- */

/* What of the options does not go together; NULL if they are good. */
static const char *contradiction(const warpo_recorder_options *options) {
  if (options->format > WARPO_FORMAT_WARPO)
    return "there is no such format";
  if (options->policy > WARPO_POLICY_RING)
    return "there is no such policy";
  if (options->clock > WARPO_CLOCK_FUEL)
    return "there is no such clock";
  if (options->max_bytes < least_record)
    return "max_bytes is less than a record without events has";
  if (options->format != WARPO_FORMAT_WARP)
    return NULL;
  if (options->policy != WARPO_POLICY_BLOCK)
    return "the format warp has the policy block only";
  if (options->crash_safe)
    return "the format warp cannot be crash-safe";
  if (options->clock != WARPO_CLOCK_COUNTER)
    return "the format warp has the processor's counter for its clock only";
  return NULL;
}

static bool make_ring(warpo_recorder *recorder) {
  warpo_event_encoder *encoder = &recorder->dump_encoder;
  if (!warpo_encoder_init(encoder, 0, 1 << 16))
    return false;
  /* A dump may not allocate. */
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
  bool is_warpo = recorder->options.format == WARPO_FORMAT_WARPO;
  warpo_sink_open(&recorder->sink, file, fd);
  warpo_live_open(recorder);
  if (is_warpo)
    warpo_clock_start(&recorder->clock, recorder->options.clock, recorder->fuel_costs);
  bool is_ring = recorder->options.policy == WARPO_POLICY_RING;
  if (!recorder->sink.broken && !is_warpo)
    warpo_warp_begin(recorder);
  else if (!recorder->sink.broken && (!is_ring || recorder->live.header))
    warpo_file_begin(recorder);
  if (is_warpo && !is_ring)
    warpo_writer_start(recorder);
  if (is_ring && !recorder->dump_encoder.block && !make_ring(recorder)) {
    warpo_sink_fail(&recorder->sink, "no memory for a ring", ENOMEM);
    recorder->sink.broken = true;
  }
  atomic_store(&recorder->stop, recorder->sink.broken ? warpo_stop_failed : warpo_running);
}

void warpo_recorder_init_locks(warpo_recorder *recorder) {
  pthread_mutex_init(&recorder->lock, NULL);
  pthread_mutex_init(&recorder->state_lock, NULL);
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&recorder->work, &monotonic);
  pthread_cond_init(&recorder->space, NULL);
  pthread_condattr_destroy(&monotonic);
}

static warpo_recorder *make_recorder(const warpo_recorder_options *options) {
  warpo_recorder *recorder = calloc(1, sizeof(*recorder));
  if (!recorder)
    return NULL;
  recorder->options = *options;
  recorder->options.file = recorder->options.fuel_costs = NULL;
  recorder->fuel_costs = options->fuel_costs ? strdup(options->fuel_costs) : NULL;
  recorder->file = options->file ? strdup(options->file) : NULL;
  recorder->process = getpid();
  recorder->sink.fd = recorder->live.fd = -1;
  recorder->limited = options->max_items != WARPO_NO_LIMIT;
  atomic_init(&recorder->room, options->max_items);
  warpo_recorder_init_locks(recorder);
  return recorder;
}

/* A recorder that could not be opened and says why. */
static warpo_recorder *refuse(const char *what) {
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  warpo_recorder *recorder = make_recorder(&options);
  if (!recorder)
    return NULL;
  recorder->sink.broken = true;
  warpo_sink_fail(&recorder->sink, what, EINVAL);
  atomic_init(&recorder->stop, warpo_stop_failed);
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
  options.file = getenv("WARP_TRACING_RECORDER_FILE");
  if (!options.file || !*options.file)
    return NULL;
  const char *wrong = warpo_environment_limit(&options);
  if (!wrong)
    wrong = warpo_recorder_read_environment(&options);
  return wrong ? refuse(wrong) : warpo_recorder_open(&options);
}

/* ---- Closing ---- */

static uint64_t count_held(warpo_recorder *recorder) {
  uint64_t held = 0;
  for (warpo_stream_full *stream = recorder->streams; stream; stream = stream->following)
    held += warpo_ring_count(stream);
  return held;
}

static void finish_ring(warpo_recorder *recorder) {
  if (recorder->sink.broken)
    return;
  if (recorder->has_dump && !recorder->sink.regular) {
    /* To a pipe only one record can be written: what is held now is lost but for what that one had,
     * though the rings may have given up parts of it, and counted those, since. The sum is right,
     * modulo 2^64 on the way. */
    recorder->counts.written += recorder->dumped;
    recorder->counts.lost_to_buffer += count_held(recorder) - recorder->dumped;
    return;
  }
  int error = warpo_recorder_dump(recorder, -1);
  recorder->counts.written += recorder->dumped;
  if (!error)
    return;
  recorder->counts.lost_to_failure += count_held(recorder);
  warpo_sink_fail(&recorder->sink, "cannot write", error);
}

static void finish_file(warpo_recorder *recorder) {
  bool is_warpo = recorder->options.format == WARPO_FORMAT_WARPO;
  for (warpo_stream_full *stream = recorder->streams; stream; stream = stream->following) {
    warpo_drain_all(stream);
    if (is_warpo)
      warpo_file_end_stream(stream);
  }
  warpo_samples_flush(recorder);
  if (is_warpo)
    warpo_file_end(recorder);
}

void warpo_recorder_finish(warpo_recorder *recorder) {
  warpo_writer_stop(recorder);
  pthread_mutex_lock(&recorder->lock);
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
  recorder->has_writer = false;
  atomic_store(&recorder->stop, warpo_stop_failed);
  pthread_mutex_unlock(&recorder->lock);
}

void warpo_recorder_close(warpo_recorder *recorder) {
  if (!recorder)
    return;
  warpo_process_remove(recorder);
  warpo_recorder_finish(recorder);
  pthread_mutex_lock(&recorder->lock);
  while (recorder->streams)
    warpo_stream_remove(recorder->streams);
  warpo_samples_free(recorder);
  pthread_mutex_unlock(&recorder->lock);
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
  pthread_cond_destroy(&recorder->work);
  pthread_cond_destroy(&recorder->space);
  pthread_mutex_destroy(&recorder->state_lock);
  pthread_mutex_destroy(&recorder->lock);
  free(recorder->modules);
  free(recorder->index);
  free(recorder->last_losses);
  warpo_sections_free(&recorder->sections);
  free(recorder->sink.name);
  free(recorder->sink.error_text);
  free(recorder->file);
  free(recorder->fuel_costs);
  free(recorder);
}

/* ---- What is known ---- */

/* Locking changes the lock alone, nothing that a caller sees. */
static void lock(const warpo_recorder *recorder) {
  pthread_mutex_lock((pthread_mutex_t *)&recorder->lock);
}
static void unlock(const warpo_recorder *recorder) {
  pthread_mutex_unlock((pthread_mutex_t *)&recorder->lock);
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

warpo_recorder_counts warpo_recorder_sum(const warpo_recorder *recorder) {
  warpo_recorder_counts counts = recorder->counts;
  for (const warpo_stream_full *stream = recorder->streams; stream; stream = stream->following) {
    counts.lost_to_limit += stream->lost_to_limit.count + stream->overrun;
    counts.lost_to_failure += stream->lost_to_failure.count + stream->unwritten;
    counts.lost_to_buffer += stream->lost_to_buffer;
  }
  return counts;
}

warpo_recorder_counts warpo_recorder_get_counts(const warpo_recorder *recorder) {
  warpo_recorder_counts counts = {0, 0, 0, 0};
  if (!recorder)
    return counts;
  lock(recorder);
  counts = warpo_recorder_sum(recorder);
  unlock(recorder);
  return counts;
}
