/* The recorder that an engine's embedder links: it writes a record of trace points.
 *
 * What an embedder does, with a stream for each instance and thread:
 *
 *     warpo_recorder *recorder = warpo_recorder_open_from_environment();
 *     warpo_stream *stream = warpo_stream_open(recorder, module_id);
 *     ... warpo_trace_point(stream, id) wherever the module calls builtin.tracePoint(id) ...
 *     warpo_stream_close(stream);
 *     warpo_recorder_close(recorder); // all is written now
 *     if (warpo_recorder_error(recorder))
 *       puts(warpo_recorder_error_text(recorder));
 *     warpo_recorder_free(recorder);
 *
 * A NULL recorder and a NULL stream mean that recording is off: every function takes them and does
 * nothing.
 *
 * The recorder never ends the host: it installs no signal handler, a closed pipe and a file that
 * may not grow raise no signal, and what cannot be written is counted as lost. A pipe that is full
 * is waited for.
 *
 * Threads: a stream is used by one thread at a time; different streams, and all functions that take
 * a recorder, may be used by different threads at once, except close and free, which come after the
 * last use of every stream. After a fork, the child must not call any of
 * these functions, close and free included.
 */
#ifndef WARPO_RECORDER_WARPO_RECORDER_H
#define WARPO_RECORDER_WARPO_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are stored as they are written, little endian"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define WARPO_RECORDER_API __attribute__((visibility("default")))

/* The file's form of one trace point. */
typedef struct warpo_record {
  uint64_t module; /* identifier of the module */
  uint32_t time;   /* low 32 bits of warpo_clock() */
  int32_t id;      /* id > 0 begins, id < 0 ends a call of function |id| */
} warpo_record;

typedef struct warpo_recorder warpo_recorder;

/* What the trace point needs of a stream; the rest of it is private. Engines that generate code may
 * do in it what warpo_trace_point does here. */
typedef struct warpo_stream {
  warpo_record *next; /* where the next record goes; published with release order */
  warpo_record *end;  /* no room from here on */
  uint64_t base;      /* the clock when the oldest record that waits here may have been made */
  uint64_t module;
} warpo_stream;

/* Records wait in a stream for at most 2^WARPO_WAIT_SHIFT counts while others are written: a reader
 * of the file finds the upper half of a 32-bit time by comparing runs of streams, which must not
 * lie far apart. */
#define WARPO_WAIT_SHIFT 29

#define WARPO_NO_LIMIT UINT64_MAX

typedef struct warpo_recorder_options {
  const char *file; /* path of the file to write, or NULL to write to `fd` */
  int fd;           /* written from where it stands, never closed; may be a pipe, blocking or not */
  uint64_t max_items;    /* records kept, of all streams; the rest is counted as lost */
  size_t stream_records; /* how many records a stream holds before it writes them; at least 1 */
} warpo_recorder_options;

#define WARPO_RECORDER_OPTIONS_DEFAULT                                                             \
  { NULL, -1, WARPO_NO_LIMIT, 4096 }

/* How many trace points there were and what became of them; exact after warpo_recorder_close. */
typedef struct warpo_recorder_counts {
  uint64_t written;         /* in the file */
  uint64_t lost_to_limit;   /* came after max_items */
  uint64_t lost_to_failure; /* could not be written, or came to a refused stream */
} warpo_recorder_counts;

/* Opens a record. Never NULL but for lack of memory: if the file cannot be written the recorder is
 * in its error state, where it counts every trace point as lost. */
WARPO_RECORDER_API warpo_recorder *warpo_recorder_open(const warpo_recorder_options *options);

/* Opens what WARP_TRACING_RECORDER_FILE and WARP_TRACING_RECORDER_MAX_ITEMS say; NULL if the former
 * is unset or empty. A limit that is no number is an error, and nothing is recorded. */
WARPO_RECORDER_API warpo_recorder *warpo_recorder_open_from_environment(void);

/* Closes all streams, writes what waits in them and closes the file. Errors and counts can still be
 * read. */
WARPO_RECORDER_API void warpo_recorder_close(warpo_recorder *recorder);

/* Closes the recorder if that has not been done, and releases it. */
WARPO_RECORDER_API void warpo_recorder_free(warpo_recorder *recorder);

/* The errno of the first thing that went wrong, or 0. */
WARPO_RECORDER_API int warpo_recorder_error(const warpo_recorder *recorder);

/* The same in words, "out.rec: cannot write: No space left on device"; "" without an error. Lives
 * as long as the recorder. */
WARPO_RECORDER_API const char *warpo_recorder_error_text(const warpo_recorder *recorder);

WARPO_RECORDER_API warpo_recorder_counts warpo_recorder_get_counts(const warpo_recorder *recorder);

/* A new stream for one instance of a module on one thread. The format has no threads and wants each
 * module in time order: a second stream of a module that has an open one is an error (EBUSY), all
 * of it counted as lost. NULL only if `recorder` is NULL or memory is short (ENOMEM). */
WARPO_RECORDER_API warpo_stream *warpo_stream_open(warpo_recorder *recorder, uint64_t module);

/* Writes what waits in the stream and releases it. */
WARPO_RECORDER_API void warpo_stream_close(warpo_stream *stream);

/* Writes what waits in the stream: before a long pause, or so that another process sees it. */
WARPO_RECORDER_API void warpo_stream_flush(warpo_stream *stream);

/* The rare part of a trace point: makes room and returns where the record goes, or counts it as
 * lost and returns NULL. */
WARPO_RECORDER_API warpo_record *warpo_stream_slow(warpo_stream *stream, uint64_t now);

/* The clock of the record: counts of the processor's time stamp counter. */
static inline uint64_t warpo_clock(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t count;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
#error "no clock for this processor"
#endif
}

/* Records that the module reached builtin.tracePoint(id). */
static inline void warpo_trace_point(warpo_stream *stream, int32_t id) {
  if (!stream)
    return;
  uint64_t now = warpo_clock();
  warpo_record *record = stream->next;
  if (__builtin_expect(((now - stream->base) >> WARPO_WAIT_SHIFT) != 0 || record == stream->end,
                       0)) {
    record = warpo_stream_slow(stream, now);
    if (!record)
      return;
  }
  record->module = stream->module;
  record->time = (uint32_t)now;
  record->id = id;
  __atomic_store_n(&stream->next, record + 1, __ATOMIC_RELEASE);
}

#ifdef __cplusplus
}
#endif

#endif
