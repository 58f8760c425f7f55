/* The writer thread: drains all streams when one has handed over a chunk, and twice a second what
 * they hold besides, so that a process that is killed loses little. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, pthread_condattr_setclock */
#include "internal.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

enum { period_nanoseconds = 500 * 1000 * 1000, second = 1000 * 1000 * 1000 };

static struct timespec after(struct timespec time, long nanoseconds) {
  time.tv_nsec += nanoseconds;
  if (time.tv_nsec >= second) {
    time.tv_nsec -= second;
    ++time.tv_sec;
  }
  return time;
}

static bool is_before(struct timespec a, struct timespec b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

static struct timespec time_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now;
}

static void drain_streams(warpo_recorder *recorder, bool all) {
  pthread_mutex_lock(&recorder->lock);
  for (warpo_stream_full *stream = recorder->streams; stream; stream = stream->following) {
    if (!all) {
      warpo_drain(stream);
      continue;
    }
    warpo_drain_all(stream);
    warpo_file_finish_block(stream);
  }
  if (all)
    warpo_samples_flush(recorder);
  pthread_mutex_unlock(&recorder->lock);
}

static void *run(void *argument) {
  warpo_recorder *recorder = argument;
  struct timespec due = after(time_now(), period_nanoseconds);
  pthread_mutex_lock(&recorder->state_lock);
  while (!recorder->ending) {
    bool is_due = !is_before(time_now(), due);
    if (!recorder->has_work && !is_due) {
      pthread_cond_timedwait(&recorder->work, &recorder->state_lock, &due);
      continue;
    }
    recorder->has_work = false;
    pthread_mutex_unlock(&recorder->state_lock);
    drain_streams(recorder, is_due);
    if (is_due)
      due = after(time_now(), period_nanoseconds);
    pthread_mutex_lock(&recorder->state_lock);
  }
  pthread_mutex_unlock(&recorder->state_lock);
  return NULL;
}

void warpo_writer_start(warpo_recorder *recorder) {
  recorder->ending = recorder->has_work = false;
  /* The host's handlers run in the host's threads. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  recorder->has_writer = pthread_create(&recorder->writer, NULL, run, recorder) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void warpo_writer_stop(warpo_recorder *recorder) {
  if (!recorder->has_writer)
    return;
  pthread_mutex_lock(&recorder->state_lock);
  recorder->ending = true;
  pthread_cond_signal(&recorder->work);
  pthread_mutex_unlock(&recorder->state_lock);
  pthread_join(recorder->writer, NULL);
}

void warpo_writer_wake(warpo_recorder *recorder) {
  pthread_mutex_lock(&recorder->state_lock);
  recorder->has_work = true;
  pthread_cond_signal(&recorder->work);
  pthread_mutex_unlock(&recorder->state_lock);
}

void warpo_writer_wait(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  pthread_mutex_lock(&recorder->state_lock);
  while (stream->filled - stream->drained >= stream->chunk_count && !recorder->ending)
    pthread_cond_wait(&recorder->space, &recorder->state_lock);
  pthread_mutex_unlock(&recorder->state_lock);
}
