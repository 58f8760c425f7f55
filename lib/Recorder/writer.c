/* SPDX-License-Identifier: Apache-2.0 */
/* The writer thread: drains all streams when one has handed over a chunk, and twice a second in any
 * case, so that a killed process loses little. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, pthread_condattr_setclock */
#include "streams.h"

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

static void drain_streams(warpo_streams *streams, bool all) {
  pthread_mutex_lock(&streams->lock);
  for (warpo_stream_full *stream = streams->first; stream; stream = stream->following) {
    if (!all) {
      warpo_drain(stream);
      continue;
    }
    warpo_drain_all(stream);
    streams->calls->finish_block(stream);
  }
  if (all)
    streams->calls->flush(streams->recorder);
  pthread_mutex_unlock(&streams->lock);
}

static void *run(void *argument) {
  warpo_streams *streams = argument;
  struct timespec due = after(time_now(), period_nanoseconds);
  pthread_mutex_lock(&streams->state_lock);
  while (!streams->ending) {
    bool is_due = !is_before(time_now(), due);
    if (!streams->has_work && !is_due) {
      pthread_cond_timedwait(&streams->work, &streams->state_lock, &due);
      continue;
    }
    streams->has_work = false;
    pthread_mutex_unlock(&streams->state_lock);
    drain_streams(streams, is_due);
    if (is_due)
      due = after(time_now(), period_nanoseconds);
    pthread_mutex_lock(&streams->state_lock);
  }
  pthread_mutex_unlock(&streams->state_lock);
  return NULL;
}

void warpo_writer_start(warpo_streams *streams) {
  streams->ending = streams->has_work = false;
  /* The host's signal handlers must run in the host's own threads. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  streams->has_writer = pthread_create(&streams->writer, NULL, run, streams) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void warpo_writer_stop(warpo_streams *streams) {
  if (!streams->has_writer)
    return;
  pthread_mutex_lock(&streams->state_lock);
  streams->ending = true;
  pthread_cond_signal(&streams->work);
  pthread_mutex_unlock(&streams->state_lock);
  pthread_join(streams->writer, NULL);
}

void warpo_writer_wake(warpo_streams *streams) {
  pthread_mutex_lock(&streams->state_lock);
  streams->has_work = true;
  pthread_cond_signal(&streams->work);
  pthread_mutex_unlock(&streams->state_lock);
}

void warpo_writer_wait(warpo_stream_full *stream) {
  warpo_streams *streams = stream->shared;
  pthread_mutex_lock(&streams->state_lock);
  while (stream->filled - stream->drained >= stream->chunk_count && !streams->ending)
    pthread_cond_wait(&streams->space, &streams->state_lock);
  pthread_mutex_unlock(&streams->state_lock);
}
