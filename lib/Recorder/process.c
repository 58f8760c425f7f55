/* SPDX-License-Identifier: Apache-2.0 */
/* Handles fork and exit for all recorders of the process. */
#define _GNU_SOURCE /* asprintf */
#include "process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static warpo_recorder *open_recorders;
static pthread_once_t handlers_once = PTHREAD_ONCE_INIT;

/* ---- Fork ---- */

static void before_fork(void) {
  pthread_mutex_lock(&registry_lock);
  for (warpo_recorder *recorder = open_recorders; recorder; recorder = recorder->next_open)
    pthread_mutex_lock(&recorder->streams.state_lock);
}

static void after_fork_in_parent(void) {
  for (warpo_recorder *recorder = open_recorders; recorder; recorder = recorder->next_open)
    pthread_mutex_unlock(&recorder->streams.state_lock);
  pthread_mutex_unlock(&registry_lock);
}

/* The parent keeps its events. Its writer may have been changing the encoder when it forked, so the
 * child neither uses nor frees that one. */
static void forget_events(warpo_stream_full *stream) {
  stream->head.next = stream->head.end = NULL;
  stream->head.in_use = 0;
  stream->filled = stream->drained = 0;
  stream->turning = false;
  stream->losses = &stream->own_losses;
  memset(stream->losses, 0, sizeof(*stream->losses));
  stream->given_up = stream->lost_before = stream->switched_off = 0;
  /* Another thread was changing the pause. */
  if (!warpo_pause_enter(&stream->pause))
    memset(&stream->pause, 0, sizeof(stream->pause));
  warpo_pause_forget(&stream->pause);
  stream->taken = NULL;
  stream->declared = stream->has_place = false;
  stream->unrecorded = (warpo_unrecorded){0, 0, 0, 0};
  stream->last_read = (warpo_reading){0};
  if (!stream->parents_encoder.block)
    stream->parents_encoder = stream->encoder;
  memset(&stream->encoder, 0, sizeof(stream->encoder));
  if (stream->live) {
    stream->live = NULL; /* the mapping is the parent's too: nothing more is stored there */
    stream->buffer = NULL;
  }
}

static void become_child(warpo_recorder *recorder) {
  /* The threads that held or waited for the other locks do not exist in this process. */
  pthread_mutex_unlock(&recorder->streams.state_lock);
  warpo_recorder_init_locks(recorder);
  recorder->streams.has_writer = false;
  recorder->streams.process = getpid();
  recorder->streams.dumping = false;
  recorder->has_dump = false;
  if (recorder->sink.owned && recorder->sink.fd >= 0)
    close(recorder->sink.fd);
  free(recorder->sink.name);
  free(recorder->sink.error_text);
  recorder->sink = (warpo_sink){.fd = -1};
  warpo_live_abandon(recorder);
  recorder->waits_for_event = recorder->file != NULL;
  recorder->streams.stop = recorder->file ? warpo_running : warpo_stop_failed;
  recorder->counts = (warpo_recorder_counts){0, 0, 0, 0, 0, 0};
  recorder->gone = 0;
  recorder->dump = (warpo_dump_sum){0, 0, 0};
  recorder->section_counts = (warpo_section_counts){0, 0, 0, 0, 0, 0};
  recorder->streams.room = recorder->options.max_items;
  recorder->parents_index = recorder->index;
  recorder->index = NULL;
  recorder->index_size = recorder->index_capacity = 0;
  recorder->parents_ended_streams = recorder->ended_streams;
  recorder->ended_streams = NULL;
  recorder->declared_streams = 0;
  recorder->is_full = false;
  recorder->last_losses = NULL;
  recorder->last_loss_count = 0;
  for (warpo_stream_full *stream = recorder->streams.first; stream; stream = stream->following)
    forget_events(stream);
  warpo_samples_forget(recorder);
}

static void after_fork_in_child(void) {
  for (warpo_recorder *recorder = open_recorders; recorder; recorder = recorder->next_open)
    become_child(recorder);
  pthread_mutex_unlock(&registry_lock);
}

void warpo_process_begin_record(warpo_recorder *recorder) {
  if (!recorder->waits_for_event)
    return;
  recorder->waits_for_event = false;
  char *file;
  if (asprintf(&file, "%s.%ld", recorder->file, (long)recorder->streams.process) < 0) {
    recorder->streams.stop = warpo_stop_failed;
    return;
  }
  warpo_recorder_begin(recorder, file, -1);
  free(file);
  if (!warpo_writes_now(recorder))
    return;
  for (const warpo_declaration *made = recorder->declarations; made; made = made->following)
    warpo_file_declare(recorder, made);
}

void warpo_process_follow(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  pthread_mutex_lock(&recorder->streams.lock);
  warpo_process_begin_record(recorder);
  bool is_new = stream->process == 0;
  if (!is_new && !recorder->format->make_encoder(stream))
    stream->refused = true;
  if (!stream->buffer && !(stream->buffer = malloc(stream->chunk_count * stream->chunk_bytes)))
    stream->refused = true;
  /* The record does not know the calls that were open at the fork. */
  if (!is_new)
    stream->encoder.complete = false;
  stream->thread = warpo_thread_number(recorder);
  stream->process = recorder->streams.process;
  recorder->format->reserve(stream);
  pthread_mutex_unlock(&recorder->streams.lock);
}

/* ---- Exit ---- */

static void finish_all(void) {
  pthread_mutex_lock(&registry_lock);
  for (warpo_recorder *recorder = open_recorders; recorder; recorder = recorder->next_open)
    warpo_recorder_finish(recorder);
  pthread_mutex_unlock(&registry_lock);
}

static void install_handlers(void) {
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  atexit(finish_all);
}

void warpo_process_add(warpo_recorder *recorder) {
  pthread_once(&handlers_once, install_handlers);
  pthread_mutex_lock(&registry_lock);
  recorder->next_open = open_recorders;
  open_recorders = recorder;
  pthread_mutex_unlock(&registry_lock);
}

void warpo_process_remove(warpo_recorder *recorder) {
  pthread_mutex_lock(&registry_lock);
  warpo_recorder **link = &open_recorders;
  while (*link && *link != recorder)
    link = &(*link)->next_open;
  if (*link)
    *link = recorder->next_open;
  pthread_mutex_unlock(&registry_lock);
}
