/* SPDX-License-Identifier: Apache-2.0 */
/* The file descriptor that a record goes to. */
#ifndef WARPO_RECORDER_SINK_H
#define WARPO_RECORDER_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file that is written, and the first error. All of it is used under the recorder's lock. */
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

/* Opens `file`, or takes `fd` if it is NULL. */
void warpo_sink_open(warpo_sink *sink, const char *file, int fd);

/* Keeps the first error; `what` is "cannot write" or the like. */
void warpo_sink_fail(warpo_sink *sink, const char *what, int error);

/* Writes `size` bytes, returns how many are in the file as whole units of `unit` bytes; fewer than
 * `size` exactly if it failed. */
size_t warpo_sink_write(warpo_sink *sink, const void *data, size_t size, size_t unit);

/* Takes back what was written behind the first `size` bytes of a regular file, and writes on from
 * there. False if that cannot be. */
bool warpo_sink_cut(warpo_sink *sink, uint64_t size);

/* Overwrites bytes that are in a regular file. */
void warpo_sink_correct(warpo_sink *sink, uint64_t offset, const void *data, size_t size);

void warpo_sink_close(warpo_sink *sink);

/* Writes all bytes, waiting for a full pipe, and returns 0 or the errno that stopped it; adds what
 * went out to *written. Safe in a signal handler, and raises no signal. */
int warpo_write_all(int fd, const void *data, size_t size, uint64_t *written);

#endif
