/* What the files of the recorder share: the handles in full, and the file that they write to. */
#ifndef WARPO_RECORDER_INTERNAL_H
#define WARPO_RECORDER_INTERNAL_H

#include "warpo/Recorder/warpo_recorder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* The file that is written, and the first error. All of it is used under the recorder's lock. */
typedef struct warpo_sink {
  int fd;
  bool owned;       /* opened here, so closed here */
  bool truncatable; /* a regular file of ours: a record cut by a full disk can be taken back */
  bool broken;      /* a write failed: nothing more is written */
  uint64_t size;    /* bytes written */
  char *name;       /* for messages */
  int error;        /* errno of the first error */
  char *error_text; /* NULL until there is one; if there was no memory for it, too */
} warpo_sink;

/* Opens `file`, or takes `fd` if it is NULL, and writes the magic. */
void warpo_sink_open(warpo_sink *sink, const char *file, int fd);

/* Keeps the first error; `what` is "cannot write" or the like. */
void warpo_sink_fail(warpo_sink *sink, const char *what, int error);

/* Writes records, returns how many are in the file as a whole; fewer than `count` exactly if it
 * failed. */
size_t warpo_sink_write(warpo_sink *sink, const warpo_record *records, size_t count);

void warpo_sink_close(warpo_sink *sink);

/* A stream: what waits to be written lies in [written, head.next). */
typedef struct warpo_stream_full {
  warpo_stream head;
  warpo_recorder *recorder;
  struct warpo_stream_full *following; /* list of the recorder's open streams */
  warpo_record *written;
  bool refused;                   /* records nothing, all is lost */
  _Atomic uint64_t lost_to_limit; /* written by the stream's thread, read by any */
  _Atomic uint64_t lost_to_failure;
  size_t capacity;
  warpo_record buffer[];
} warpo_stream_full;

struct warpo_recorder {
  pthread_mutex_t lock;
  warpo_sink sink;
  bool closed;
  atomic_bool failed; /* sink.broken, readable without the lock */
  bool limited;       /* max_items was given */
  size_t stream_records;
  _Atomic uint64_t room; /* records that may still be taken, if limited */
  warpo_stream_full *streams;
  warpo_recorder_counts counts; /* without what open streams lost */
};

/* Writes what waits in a stream. The caller holds the lock. */
void warpo_stream_drain(warpo_stream_full *stream);

/* Takes a stream out of its recorder, after draining it, and frees it. The caller holds the lock.
 */
void warpo_stream_remove(warpo_stream_full *stream);

#endif
