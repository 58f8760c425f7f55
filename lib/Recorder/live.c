/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps buffered events in a file that survives the process: live_file.h. */
#define _GNU_SOURCE /* asprintf, flock */
#include "files.h"
#include "held_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

static void fail(warpo_recorder *recorder, int error) {
  warpo_sink_fail(&recorder->sink, "cannot make its file .live", error);
  recorder->sink.broken = true;
}

/* Reserves the file's next part on the disk and maps it: a full disk must be an error now, not a
 * signal later. */
static void *extend(warpo_live *live, size_t size) {
  warpo_held_signals held;
  warpo_hold_signals(&held);
  int error = posix_fallocate(live->fd, (off_t)live->size, (off_t)size);
  warpo_release_signals(&held, error);
  if (error) {
    errno = error;
    return NULL;
  }
  void *part = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, live->fd, (off_t)live->size);
  if (part == MAP_FAILED)
    return NULL;
  live->size += size;
  return part;
}

void warpo_live_open(warpo_recorder *recorder) {
  warpo_live *live = &recorder->live;
  if (!recorder->options.crash_safe || recorder->sink.broken)
    return;
  if (!recorder->sink.regular) {
    fail(recorder, EINVAL);
    return;
  }
  if (asprintf(&live->path, "%s.live", recorder->sink.name) < 0) {
    live->path = NULL;
    fail(recorder, ENOMEM);
    return;
  }
  live->fd = open(live->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  /* Held for the life of the process: recovery first tries to take it. Taken before the file is
   * emptied, because another process may have it mapped. */
  if (live->fd < 0 || flock(live->fd, LOCK_EX | LOCK_NB) != 0) {
    fail(recorder, errno);
    if (live->fd >= 0)
      close(live->fd);
    live->fd = -1;
    warpo_live_close(recorder);
    return;
  }
  if (ftruncate(live->fd, 0) != 0 || !(live->header = extend(live, warpo_live_page))) {
    fail(recorder, errno);
    warpo_live_close(recorder);
    return;
  }
  live->mapped = live->header;
  recorder->streams.refused = &live->header->refused;
  live->header->is_ring = recorder->options.policy == WARPO_POLICY_RING;
  live->header->start_size = warpo_clock_put_start(&recorder->clock, live->header->start);
  memcpy(live->header->magic, WARPO_LIVE_MAGIC, sizeof(live->header->magic));
}

void warpo_live_abandon(warpo_recorder *recorder) {
  warpo_live *live = &recorder->live;
  if (live->header)
    close(live->fd);
  free(live->path);
  *live = (warpo_live){.fd = -1}; /* the mapping stays, nothing is stored there any more */
  recorder->streams.refused = NULL;
  recorder->options.crash_safe = 0;
}

void warpo_live_close(warpo_recorder *recorder) {
  warpo_live *live = &recorder->live;
  if (!live->path)
    return;
  while (live->unused) {
    warpo_live_stream *first = live->unused;
    live->unused = first->next_unused;
    munmap(first, live->stream_size);
  }
  if (live->fd >= 0) {
    unlink(live->path);
    close(live->fd);
  }
  live->header = NULL;
  live->fd = -1;
  free(live->path);
  live->path = NULL;
}

warpo_live_stream *warpo_live_allocate(warpo_recorder *recorder, size_t buffer_bytes) {
  warpo_live *live = &recorder->live;
  size_t size =
      warpo_live_page + (buffer_bytes + warpo_live_page - 1) / warpo_live_page * warpo_live_page;
  warpo_live_stream *stream = live->unused;
  if (stream) {
    live->unused = stream->next_unused;
    memset(&stream->losses, 0, sizeof(stream->losses));
    return stream;
  }
  uint64_t place = live->size;
  stream = extend(live, size);
  if (!stream) {
    warpo_sink_fail(&recorder->sink, "no room in its file .live for a stream", errno);
    return NULL;
  }
  live->header->stream_size = live->stream_size = size;
  stream->place = place;
  return stream;
}

void warpo_live_release(warpo_recorder *recorder, warpo_live_stream *stream) {
  warpo_live *live = &recorder->live;
  atomic_store(&stream->in_use, 0);
  if (live->header) {
    stream->next_unused = live->unused;
    live->unused = stream;
  } else {
    munmap(stream, live->stream_size);
  }
}

void warpo_live_begin_stream(warpo_stream_full *stream) {
  warpo_live_stream *live = stream->live;
  if (!live)
    return;
  live->number = stream->number;
  live->module = stream->module;
  live->module_number = stream->module_number;
  live->thread = stream->thread;
  live->form = stream->form;
  live->measure = stream->measure;
  if (stream->measure)
    live->measure_size = warpo_clock_put_measure_block(
        stream->measure, stream->recorder->measures[stream->measure - 1].name, live->measure_block);
  live->chunk_count = stream->chunk_count;
  live->chunk_bytes = stream->chunk_bytes;
  live->begun = 0;
  live->progress = (warpo_live_progress){0, 0, {0, 0, 0, 0}};
  atomic_store(&live->in_use, 1);
}

void warpo_live_intend(warpo_stream_full *stream) {
  warpo_live_header *header = stream->recorder->live.header;
  if (!stream->live || !header)
    return;
  header->size_before = stream->recorder->sink.size;
  header->stream = stream->live->place;
  atomic_store(&header->phase, warpo_live_writing);
}

static void commit(warpo_stream_full *stream, warpo_live_progress progress, bool has_ended,
                   uint64_t lost) {
  warpo_live_header *header = stream->recorder->live.header;
  if (!stream->live || !header)
    return;
  bool is_ring = stream->recorder->options.policy == WARPO_POLICY_RING;
  header->stream = stream->live->place;
  header->then.totals.events = is_ring ? 0 : stream->recorder->counts.written;
  header->then.totals.gone = header->totals.gone + lost;
  header->then.progress = progress;
  header->then.has_ended = has_ended;
  atomic_store(&header->phase, warpo_live_written);
  stream->live->progress = progress;
  if (has_ended)
    atomic_store(&stream->live->in_use, 0);
  header->totals = header->then.totals;
  atomic_store(&header->phase, warpo_live_idle);
}

void warpo_live_commit(warpo_stream_full *stream, uint64_t chunks, uint64_t taken) {
  commit(stream, (warpo_live_progress){chunks, taken, stream->unrecorded}, false, 0);
}

void warpo_live_commit_end(warpo_stream_full *stream, uint64_t lost) {
  commit(stream, (warpo_live_progress){0, 0, {0, 0, 0, 0}}, true, lost);
}
