/* SPDX-License-Identifier: Apache-2.0 */
/* A record's file descriptor. */
#ifndef WARPO_RECORDER_SINK_H
#define WARPO_RECORDER_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The output file and its first error. Used under the recorder's lock. */
typedef struct warpo_sink {
  int fd;
  bool owned;    /* opened here, so closed here */
  bool regular;  /* a regular file of ours: what a full disk cut can be taken back, and be corrected
                  */
  bool broken;   /* a write failed: nothing more is written */
  uint64_t size; /* bytes written */
  char *name;    /* for messages */
  int error;     /* errno of the first error */
  char *error_text; /* NULL until there is one; if there was no memory for it, too */
} warpo_sink;

/* Opens `file`, or uses `fd` if `file` is NULL. */
void warpo_sink_open(warpo_sink *sink, const char *file, int fd);

/* Keeps the first error; `what` is, for example, "cannot write". */
void warpo_sink_fail(warpo_sink *sink, const char *what, int error);

/* Writes `size` bytes. Returns how many bytes, in whole units of `unit`, are in the file; fewer
 * than `size` if and only if it failed. */
size_t warpo_sink_write(warpo_sink *sink, const void *data, size_t size, size_t unit);

/* Cuts a regular file to `size` bytes and continues there. False if that fails. */
bool warpo_sink_cut(warpo_sink *sink, uint64_t size);

/* Overwrites bytes of a regular file. */
void warpo_sink_correct(warpo_sink *sink, uint64_t offset, const void *data, size_t size);

void warpo_sink_close(warpo_sink *sink);

/* Writes all bytes, waiting while a pipe is full. Returns 0 or the errno of the failure, and adds
 * the bytes written to *written. Safe in a signal handler; raises no signal. */
int warpo_write_all(int fd, const void *data, size_t size, uint64_t *written);

#endif
