/* SPDX-License-Identifier: Apache-2.0 */
/* Completes the record of a killed process from its .live file. */
#define _GNU_SOURCE /* asprintf, flock */
#include "live_contents.h"

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
  int live_file;
  warpo_live_contents live;
  int error;
  warpo_event_output output; /* what is added */
  warpo_event_encoder encoder;
  /* What the record declares; some declarations may be missing. */
  bool has_clock[warpo_max_clocks];
  bool has_module[warpo_max_modules];
} recovery;

/* ---- What the record holds ---- */

/* The first number of a block's payload, the number of what it declares. */
static uint64_t number_of(const recovery *from, uint64_t payload, bool is_fixed) {
  uint8_t bytes[warpo_max_u_size] = {0};
  if (pread(from->record, bytes, sizeof(bytes), (off_t)payload) < 0)
    return UINT64_MAX;
  if (is_fixed)
    return warpo_get_fixed(bytes, 8);
  uint64_t number = 0;
  for (unsigned i = 0; i < sizeof(bytes); ++i) {
    number |= (uint64_t)(bytes[i] & 0x7f) << 7 * i;
    if (bytes[i] < 0x80)
      break;
  }
  return number;
}

static void note_declaration(recovery *from, uint8_t kind, uint64_t payload) {
  if (kind == warpo_block_clock) {
    uint64_t number = number_of(from, payload, true);
    if (number < warpo_max_clocks)
      from->has_clock[number] = true;
  } else if (kind == warpo_block_module) {
    uint64_t number = number_of(from, payload, false);
    if (number < warpo_max_modules)
      from->has_module[number] = true;
  }
}

/* Whether a stream's block declares further modules. Such blocks precede what dumps write. */
static bool has_windows(const recovery *from, uint64_t at, uint32_t size) {
  uint8_t payload[warpo_stream_block_room];
  size_t room = size < sizeof(payload) ? size : sizeof(payload);
  if (pread(from->record, payload, room, (off_t)(at + warpo_block_header_size)) != (ssize_t)room)
    return false;
  /* Number, module and thread; these streams have no name. */
  size_t next = 0;
  for (int numbers = 0; numbers < 3 && next < room; ++next)
    numbers += (payload[next] & 0x80) == 0;
  return next + 1 < size;
}

/* Where to cut the record before adding to it: after its last whole block, before the end blocks,
 * and, for a ring, before an earlier dump's events. */
static uint64_t find_cut(recovery *from, uint64_t limit) {
  uint64_t at = warpo_signature_size;
  uint8_t bytes[warpo_block_header_size];
  while (at + sizeof(bytes) <= limit) {
    warpo_block_header header;
    if (pread(from->record, bytes, sizeof(bytes), (off_t)at) != (ssize_t)sizeof(bytes) ||
        !warpo_get_block_header(bytes, &header)) {
      from->error = EINVAL;
      return 0;
    }
    if (header.kind == warpo_block_index || header.kind == warpo_block_end)
      break;
    if (warpo_live_header_of(&from->live)->is_ring &&
        (header.kind == warpo_block_events ||
         (header.kind == warpo_block_stream && !has_windows(from, at, header.size))))
      break;
    if (sizeof(bytes) + header.size > limit - at)
      break;
    note_declaration(from, header.kind, at + sizeof(bytes));
    at += sizeof(bytes) + header.size;
  }
  return at <= limit ? at : 0;
}

/* The end of the intact part of the record. */
static uint64_t find_limit(const recovery *from) {
  const warpo_live_header *header = warpo_live_header_of(&from->live);
  uint64_t limit = from->record_size;
  if (header->phase == warpo_live_writing && header->size_before < limit)
    limit = header->size_before;
  if (header->recovered_from != 0 && header->recovered_from < limit)
    limit = header->recovered_from;
  return limit;
}

/* ---- What is added ---- */

/* Notes the size, so that blocks added from here on are not added twice if this process is killed
 * too. */
static bool note_beginning(const recovery *to, uint64_t size) {
  return pwrite(to->live_file, &size, sizeof(size),
                (off_t)offsetof(warpo_live_header, recovered_from)) == (ssize_t)sizeof(size);
}

static void declare_module(recovery *to, uint64_t number, uint64_t id) {
  const warpo_module_fields fields = {.number = number, .id = id};
  uint8_t bytes[warpo_block_header_size + 6 * warpo_max_u_size];
  warpo_block block = warpo_block_in(bytes, sizeof(bytes));
  warpo_begin_module(&block, &fields, 0);
  warpo_output_put(&to->output, bytes, warpo_finish_block(&block));
}

static void put_stream(recovery *to, const warpo_live_stream *stream) {
  if (!warpo_live_has_more(&to->live, stream))
    return;
  uint64_t module = stream->module_number;
  if (module < warpo_max_modules && !to->has_module[module]) {
    declare_module(to, module, stream->module);
    to->has_module[module] = true;
  }
  if (stream->measure && !to->has_clock[stream->measure]) {
    warpo_output_put(&to->output, stream->measure_block, stream->measure_size);
    to->has_clock[stream->measure] = true;
  }
  warpo_live_put(&to->live, stream, &to->output);
}

static void put_streams(recovery *to, uint64_t cut) {
  const warpo_live_header *header = warpo_live_header_of(&to->live);
  to->output = (warpo_event_output){.fd = to->record, .encoder = &to->encoder};
  /* Nothing but the clock may have been written. */
  if (cut < header->start_size)
    warpo_output_put(&to->output, header->start + cut, header->start_size - cut);
  const warpo_live_stream *stream;
  for (uint64_t place = warpo_live_page; (stream = warpo_live_find(&to->live, &place));
       place += header->stream_size)
    put_stream(to, stream);
}

/* The number of missing events of the whole record; sets an error if the file is inconsistent. */
static uint64_t sum_losses(recovery *to) {
  uint64_t lost = warpo_live_totals_of(&to->live).gone;
  const warpo_live_stream *stream;
  for (uint64_t place = warpo_live_page; (stream = warpo_live_find(&to->live, &place));
       place += warpo_live_header_of(&to->live)->stream_size) {
    if (!warpo_live_is_sound(&to->live, stream)) {
      to->error = EINVAL;
      return 0;
    }
    lost += warpo_live_lost_of(&to->live, stream);
  }
  return lost;
}

static void complete(recovery *to) {
  /* Check everything before changing anything. */
  uint64_t lost = sum_losses(to);
  uint64_t cut = to->error ? 0 : find_cut(to, find_limit(to));
  if (to->error)
    return;
  if (!note_beginning(to, cut) || ftruncate(to->record, (off_t)cut) != 0 ||
      lseek(to->record, (off_t)cut, SEEK_SET) < 0) {
    to->error = errno;
    return;
  }
  put_streams(to, cut);
  warpo_output_end(&to->output, warpo_live_totals_of(&to->live).events, lost - to->output.lost);
  to->error = to->output.error;
  if (to->error)
    (void)!ftruncate(to->record, (off_t)cut);
}

/* ---- The files ---- */

/* Maps the file, unless its process is alive. */
static int map_live(recovery *to, const char *path) {
  int fd = to->live_file = open(path, O_RDWR | O_CLOEXEC);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0)
    return errno;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? EBUSY : errno;
  if (!S_ISREG(status.st_mode) || status.st_size < (off_t)warpo_live_page)
    return EINVAL;
  void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED)
    return errno;
  to->live = (warpo_live_contents){bytes, (uint64_t)status.st_size};
  return warpo_live_is_known(&to->live) ? 0 : EINVAL;
}

/* Opens the record, which must have the expected start as far as it was written. */
static int open_record(recovery *to, const char *file) {
  to->record = open(file, O_RDWR | O_CLOEXEC);
  struct stat status;
  if (to->record < 0 || fstat(to->record, &status) != 0)
    return errno;
  to->record_size = (uint64_t)status.st_size;
  char signature[warpo_signature_size];
  ssize_t size = pread(to->record, signature, sizeof(signature), 0);
  if (size < 0)
    return errno;
  if (memcmp(signature, WARPO_SIGNATURE, (size_t)size) != 0 &&
      memcmp(signature, WARPO_STACK_SIGNATURE, (size_t)size) != 0)
    return EINVAL;
  return warpo_encoder_init(&to->encoder, 0, warpo_events_block_size) ? 0 : ENOMEM;
}

static int recover(recovery *to, const char *file, const char *path) {
  to->error = map_live(to, path);
  if (!to->error)
    to->error = open_record(to, file);
  if (!to->error)
    complete(to);
  /* Some file systems report a full disk only at close. */
  if (to->record >= 0 && close(to->record) != 0 && !to->error)
    to->error = errno;
  if (!to->error && unlink(path) != 0)
    to->error = errno;
  if (to->encoder.block)
    warpo_encoder_free(&to->encoder);
  if (to->live.bytes)
    munmap((void *)to->live.bytes, to->live.size);
  if (to->live_file >= 0)
    close(to->live_file);
  return to->error;
}

int warpo_recorder_recover(const char *file, uint64_t *events) {
  char *path = NULL;
  recovery *to = calloc(1, sizeof(*to));
  int error = ENOMEM;
  if (to && asprintf(&path, "%s.live", file) >= 0) {
    to->record = to->live_file = -1;
    error = recover(to, file, path);
    free(path);
  }
  if (events)
    *events = to ? to->output.events : 0;
  free(to);
  return error;
}
