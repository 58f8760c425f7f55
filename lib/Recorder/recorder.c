/* The handle of a record: opening by options or environment, closing, and what is known about
 * errors and losses. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

static const char file_variable[] = "WARP_TRACING_RECORDER_FILE";
static const char limit_variable[] = "WARP_TRACING_RECORDER_MAX_ITEMS";

warpo_recorder *warpo_recorder_open(const warpo_recorder_options *options) {
  warpo_recorder *recorder = calloc(1, sizeof(*recorder));
  if (!recorder)
    return NULL;
  pthread_mutex_init(&recorder->lock, NULL);
  recorder->limited = options->max_items != WARPO_NO_LIMIT;
  atomic_init(&recorder->room, options->max_items);
  recorder->stream_records = options->stream_records ? options->stream_records : 1;
  warpo_sink_open(&recorder->sink, options->file, options->fd);
  atomic_init(&recorder->failed, recorder->sink.broken);
  return recorder;
}

/* Digits only: strtoull alone would take "-1" and " 7". */
static bool parse_limit(const char *text, uint64_t *limit) {
  for (const char *digit = text; *digit; ++digit)
    if (*digit < '0' || *digit > '9')
      return false;
  errno = 0;
  *limit = strtoull(text, NULL, 10);
  return errno == 0;
}

/* A recorder that could not be opened and says why. */
static warpo_recorder *open_failed(const char *what, int error) {
  warpo_recorder *recorder = calloc(1, sizeof(*recorder));
  if (!recorder)
    return NULL;
  pthread_mutex_init(&recorder->lock, NULL);
  recorder->stream_records = 1;
  recorder->sink.fd = -1;
  recorder->sink.broken = true;
  warpo_sink_fail(&recorder->sink, what, error);
  atomic_init(&recorder->failed, true);
  return recorder;
}

warpo_recorder *warpo_recorder_open_from_environment(void) {
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.file = getenv(file_variable);
  if (!options.file || !*options.file)
    return NULL;
  const char *limit = getenv(limit_variable);
  if (limit && *limit && !parse_limit(limit, &options.max_items))
    return open_failed("WARP_TRACING_RECORDER_MAX_ITEMS is not a number of records", EINVAL);
  return warpo_recorder_open(&options);
}

void warpo_recorder_close(warpo_recorder *recorder) {
  if (!recorder)
    return;
  pthread_mutex_lock(&recorder->lock);
  while (recorder->streams)
    warpo_stream_remove(recorder->streams);
  if (!recorder->closed)
    warpo_sink_close(&recorder->sink);
  recorder->closed = true;
  pthread_mutex_unlock(&recorder->lock);
}

void warpo_recorder_free(warpo_recorder *recorder) {
  if (!recorder)
    return;
  warpo_recorder_close(recorder);
  pthread_mutex_destroy(&recorder->lock);
  free(recorder->sink.name);
  free(recorder->sink.error_text);
  free(recorder);
}

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

warpo_recorder_counts warpo_recorder_get_counts(const warpo_recorder *recorder) {
  warpo_recorder_counts counts = {0, 0, 0};
  if (!recorder)
    return counts;
  lock(recorder);
  counts = recorder->counts;
  for (const warpo_stream_full *stream = recorder->streams; stream; stream = stream->following) {
    counts.lost_to_limit += atomic_load_explicit(&stream->lost_to_limit, memory_order_relaxed);
    counts.lost_to_failure += atomic_load_explicit(&stream->lost_to_failure, memory_order_relaxed);
  }
  unlock(recorder);
  return counts;
}
