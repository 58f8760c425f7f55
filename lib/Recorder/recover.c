/* Completes the record of a process that was killed with what its file .live holds. That file is
 * somebody's: every number in it is checked before it is used. */
#define _GNU_SOURCE /* asprintf, flock */
#include "event_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct recovery {
  int record;
  uint64_t record_size;
  char *live;
  uint64_t live_size;
  int error;
  warpo_event_output output; /* what is added */
  warpo_event_encoder encoder;
} recovery;

static warpo_live_header *header_of(const recovery *from) {
  return (warpo_live_header *)from->live;
}

/* Where the record has to be cut before something is added: behind its last whole block, and in
 * front of what an earlier end has written; of a ring, in front of an earlier dump's events. */
static uint64_t find_cut(recovery *from, uint64_t limit) {
  uint64_t at = warpo_signature_size;
  uint8_t header[warpo_block_header_size];
  while (at + sizeof(header) <= limit) {
    if (pread(from->record, header, sizeof(header), (off_t)at) != (ssize_t)sizeof(header) ||
        memcmp(header, "WBLK", 4) != 0) {
      from->error = EINVAL;
      return 0;
    }
    uint8_t kind = header[4];
    if (kind == warpo_block_index || kind == warpo_block_end)
      break;
    if (header_of(from)->is_ring && (kind == warpo_block_stream || kind == warpo_block_events))
      break;
    uint64_t size = header[8] | header[9] << 8 | header[10] << 16 | (uint64_t)header[11] << 24;
    if (sizeof(header) + size > limit - at)
      break;
    at += sizeof(header) + size;
  }
  return at;
}

/* What of the stream is in the record. */
static void find_position(const recovery *from, const warpo_live_stream *live, uint64_t *drained,
                          uint64_t *taken) {
  const warpo_live_header *header = header_of(from);
  bool is_newer = header->phase == warpo_live_written && header->stream == live->place;
  *drained = is_newer ? header->drained : live->drained;
  *taken = is_newer ? header->taken : live->taken;
}

/* Whether the stream's numbers fit the file and each other. */
static bool is_sound(const recovery *from, const warpo_live_stream *live) {
  uint64_t drained, taken;
  find_position(from, live, &drained, &taken);
  uint64_t room = header_of(from)->stream_size - warpo_live_page;
  return live->form <= warpo_entry_fuel_event && live->chunk_count >= 1 &&
         live->chunk_count <= warpo_live_max_chunks &&
         live->chunk_bytes % sizeof(warpo_record) == 0 && live->chunk_bytes != 0 &&
         live->chunk_bytes <= room / live->chunk_count && drained <= live->begun &&
         live->begun - drained <= live->chunk_count && taken <= live->chunk_bytes &&
         taken % warpo_entry_size((warpo_entry_form)live->form) == 0;
}

/* Behind the last entry of a chunk: what was never stored is zero. Of an event with fuel the first
 * half is stored last. */
static const char *find_end(const char *begin, const char *end, warpo_entry_form form) {
  static const char nothing[sizeof(warpo_record)];
  size_t told = form == warpo_entry_record ? sizeof(warpo_record) : sizeof(uint64_t);
  while (begin != end && memcmp(begin, nothing, told) != 0)
    begin += warpo_entry_size(form);
  return begin;
}

static void put_chunk(recovery *to, warpo_stream_full *stream, const warpo_live_stream *live,
                      uint64_t number, uint64_t taken) {
  size_t slot = number % live->chunk_count;
  const char *chunk = (const char *)live + warpo_live_page + slot * live->chunk_bytes;
  const char *begin = chunk + taken;
  if (taken == 0)
    warpo_output_put_loss(&to->output, live->chunks[slot].lost_since, live->chunks[slot].lost,
                          warpo_loss_buffer_full);
  warpo_output_put_entries(&to->output, stream, live->chunks[slot].base, begin,
                           find_end(begin, chunk + live->chunk_bytes, stream->form));
}

/* Blocks go on counting fuel from where those in the record ended: at the first that is added. */
static void start_fuel(recovery *to, const warpo_stream_full *stream, const warpo_live_stream *live,
                       uint64_t number, uint64_t taken) {
  size_t slot = number % live->chunk_count;
  const char *chunk = (const char *)live + warpo_live_page + slot * live->chunk_bytes;
  const char *begin = chunk + taken;
  warpo_reading first = {0, 0};
  if (begin != find_end(begin, chunk + live->chunk_bytes, stream->form))
    warpo_entry(stream->form, live->chunks[slot].base, begin, &first);
  to->encoder.last_fuel = first.fuel;
}

static void put_stream(recovery *to, const warpo_live_stream *live) {
  uint64_t drained, taken;
  find_position(to, live, &drained, &taken);
  if (drained == live->begun)
    return;
  warpo_stream_full stream = {.form = (warpo_entry_form)live->form,
                              .has_fuel = live->has_fuel,
                              .number = live->number,
                              .module_number = live->module_number,
                              .thread = live->thread};
  /* What was open before is not known here. */
  warpo_output_begin_stream(&to->output, &stream, drained == 0 && taken == 0);
  start_fuel(to, &stream, live, drained, taken);
  warpo_output_put_loss(&to->output, live->chunks[drained % live->chunk_count].base, live->given_up,
                        warpo_loss_buffer_full);
  for (uint64_t number = drained; number < live->begun; ++number) {
    put_chunk(to, &stream, live, number, taken);
    taken = 0;
  }
  warpo_output_end_stream(&to->output);
}

/* How many events the record holds without what is added. */
static uint64_t count_before(const recovery *from) {
  const warpo_live_header *header = header_of(from);
  if (header->is_ring)
    return 0;
  return header->phase == warpo_live_written ? header->events_then : header->events;
}

/* The stream at this place of the file or the next that is in use; NULL behind the last. */
static const warpo_live_stream *find_stream(const recovery *from, uint64_t *place) {
  uint64_t step = header_of(from)->stream_size;
  for (; step != 0 && step <= from->live_size - *place; *place += step) {
    const warpo_live_stream *live = (const warpo_live_stream *)(from->live + *place);
    if (live->in_use)
      return live;
  }
  return NULL;
}

static void complete(recovery *to) {
  const warpo_live_header *header = header_of(to);
  const warpo_live_stream *live;
  /* All is checked before anything is changed. */
  for (uint64_t place = warpo_live_page; (live = find_stream(to, &place));
       place += header->stream_size)
    if (!is_sound(to, live)) {
      to->error = EINVAL;
      return;
    }
  uint64_t limit = to->record_size;
  if (header->phase == warpo_live_writing && header->size_before < limit)
    limit = header->size_before;
  uint64_t cut = find_cut(to, limit);
  if (to->error)
    return;
  if (ftruncate(to->record, (off_t)cut) != 0 || lseek(to->record, (off_t)cut, SEEK_SET) < 0) {
    to->error = errno;
    return;
  }
  to->output = (warpo_event_output){.fd = to->record, .encoder = &to->encoder};
  for (uint64_t place = warpo_live_page; (live = find_stream(to, &place));
       place += header->stream_size)
    put_stream(to, live);
  warpo_output_end(&to->output, count_before(to));
  to->error = to->output.error;
}

/* Whether the file is what this version makes. */
static bool is_live(const recovery *from) {
  const warpo_live_header *header = header_of(from);
  uint64_t step = header->stream_size;
  return memcmp(header->magic, WARPO_LIVE_MAGIC, sizeof(header->magic)) == 0 &&
         (step == 0 || (step > warpo_live_page && step % warpo_live_page == 0));
}

/* Maps the file, unless its process lives. */
static int map_live(recovery *to, int fd) {
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0)
    return errno;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? EBUSY : errno;
  if (!S_ISREG(status.st_mode) || status.st_size < (off_t)warpo_live_page)
    return EINVAL;
  to->live_size = (uint64_t)status.st_size;
  to->live = mmap(NULL, to->live_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (to->live == MAP_FAILED) {
    to->live = NULL;
    return errno;
  }
  return is_live(to) ? 0 : EINVAL;
}

static int open_record(recovery *to, const char *file) {
  to->record = open(file, O_RDWR | O_CLOEXEC);
  struct stat status;
  if (to->record < 0 || fstat(to->record, &status) != 0)
    return errno;
  to->record_size = (uint64_t)status.st_size;
  char signature[warpo_signature_size];
  if (pread(to->record, signature, sizeof(signature), 0) != (ssize_t)sizeof(signature) ||
      memcmp(signature, WARPO_SIGNATURE, sizeof(signature)) != 0)
    return EINVAL;
  return warpo_encoder_init(&to->encoder, 0, 1 << 16) ? 0 : ENOMEM;
}

int warpo_recorder_recover(const char *file, uint64_t *events) {
  char *path;
  if (asprintf(&path, "%s.live", file) < 0)
    return ENOMEM;
  recovery to = {.record = -1};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  to.error = map_live(&to, fd);
  if (!to.error)
    to.error = open_record(&to, file);
  if (!to.error)
    complete(&to);
  if (!to.error && unlink(path) != 0)
    to.error = errno;
  if (events)
    *events = to.output.events;
  if (to.encoder.block)
    warpo_encoder_free(&to.encoder);
  if (to.live)
    munmap(to.live, to.live_size);
  if (to.record >= 0)
    close(to.record);
  if (fd >= 0)
    close(fd);
  free(path);
  return to.error;
}
