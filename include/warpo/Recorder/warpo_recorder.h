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
 * An engine that compiles ahead of time takes streams of events instead, whose trace point is half
 * as long: event_stream.h. docs/recording.md says which formats, policies and variables there are.
 *
 * The recorder never ends the host: it installs no signal handler, a closed pipe and a file that
 * may not grow raise no signal, and what cannot be written is counted as lost. A pipe that is full
 * is waited for.
 *
 * Threads: a stream is used by one thread at a time (builds without NDEBUG notice a violation);
 * different streams, and all functions that take a recorder, may be used by different threads at
 * once, except close and free, which come after the last use of every stream.
 *
 * After a fork, the child's trace points go to a record of its own, `<file>.<pid>`, which is made
 * with the first of them; what the parent had not written yet stays the parent's alone. A recorder
 * that was given a descriptor stops in the child.
 *
 * A process that exits without closing its recorders has them written whole by exit().
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
  uint32_t in_use; /* a thread is within a trace point; kept in builds without NDEBUG only */
} warpo_stream;

/* Records wait in a stream for at most 2^WARPO_WAIT_SHIFT counts while others are written: a reader
 * of the file finds the upper half of a 32-bit time by comparing runs of streams, which must not
 * lie far apart. */
#define WARPO_WAIT_SHIFT 29

#define WARPO_NO_LIMIT UINT64_MAX

/* The form of the file. */
typedef enum warpo_recorder_format {
  WARPO_FORMAT_WARP = 0,  /* WARP's: 16 bytes an event, no names, no rate, 32 bits of time */
  WARPO_FORMAT_WARPO = 1, /* docs/record-format.md: says all of itself */
} warpo_recorder_format;

/* What becomes of events while all of a stream's buffer waits to be written. WARPO_FORMAT_WARP has
 * no place to say what is missing, so it knows only the first. */
typedef enum warpo_recorder_policy {
  WARPO_POLICY_BLOCK = 0, /* the trace point waits: nothing is lost */
  WARPO_POLICY_DROP = 1,  /* they are counted as lost, in the record too */
  WARPO_POLICY_RING = 2,  /* nothing is written until warpo_recorder_dump or the end, and only the
                             last events of each stream */
} warpo_recorder_policy;

typedef enum warpo_recorder_clock {
  WARPO_CLOCK_COUNTER = 0,   /* the processor's counter: warpo_clock() */
  WARPO_CLOCK_MONOTONIC = 1, /* CLOCK_MONOTONIC, for machines whose counters differ; several times
                                slower. Streams of events only, WARPO_FORMAT_WARPO only */
  WARPO_CLOCK_FUEL = 2,      /* none: the record's only clock is the fuel that trace points give.
                                As the one before; for embedders to choose, not for users */
} warpo_recorder_clock;

typedef struct warpo_recorder_options {
  const char *file; /* path of the file to write, or NULL to write to `fd` */
  int fd;           /* written from where it stands, never closed; may be a pipe, blocking or not */
  uint64_t max_items;    /* records kept, of all streams; the rest is counted as lost */
  size_t stream_records; /* WARPO_FORMAT_WARP: how many records a stream holds before it writes
                            them; at least 1 */
  uint64_t max_bytes;    /* that the file may have, at least 512; events beyond are counted as lost.
                            Not of a ring */
  size_t buffer_bytes;   /* that the events of one stream take while they wait; 0: 256 KiB, of
                            WARPO_POLICY_RING 1 MiB. WARPO_FORMAT_WARPO only */
  warpo_recorder_format format;
  warpo_recorder_policy policy;
  warpo_recorder_clock clock;
  int crash_safe; /* not 0: what waits lies in `<file>.live`, so that a process that is killed loses
                     at most the event being stored; see warpo_recorder_recover.
                     WARPO_FORMAT_WARPO into a regular file only */
  const char *fuel_costs; /* what the costs of instructions are called that fuel counts, of at most
                             48 bytes; NULL: each costs 1 */
} warpo_recorder_options;

#define WARPO_RECORDER_OPTIONS_DEFAULT                                                             \
  {                                                                                                \
    NULL, -1, WARPO_NO_LIMIT, 4096, WARPO_NO_LIMIT, 0, WARPO_FORMAT_WARP, WARPO_POLICY_BLOCK,      \
        WARPO_CLOCK_COUNTER, 0, NULL                                                               \
  }

/* How many trace points there were and what became of them; exact after warpo_recorder_close. */
typedef struct warpo_recorder_counts {
  uint64_t written;         /* in the file */
  uint64_t lost_to_limit;   /* came after max_items or max_bytes */
  uint64_t lost_to_failure; /* could not be written, or came to a refused stream */
  uint64_t lost_to_buffer;  /* came while the buffer was full, or were overwritten in a ring */
} warpo_recorder_counts;

/* A function of a module, for the names in the record. */
typedef struct warpo_function_name {
  int32_t id; /* as in trace points, positive */
  const char *name;
} warpo_function_name;

/* What a record says of a module. Nothing is kept of what it points to. */
typedef struct warpo_module_info {
  uint64_t id;         /* that streams are opened with */
  const char *name;    /* or NULL */
  const uint8_t *hash; /* BLAKE3 of the original module, 32 bytes; or NULL */
  const uint8_t *build_id;
  size_t build_id_size; /* 0: unknown */
  const warpo_function_name *functions;
  size_t function_count;
} warpo_module_info;

/* Opens a record. Never NULL but for lack of memory: if the file cannot be written the recorder is
 * in its error state, where it counts every trace point as lost. */
WARPO_RECORDER_API warpo_recorder *warpo_recorder_open(const warpo_recorder_options *options);

/* Opens what WARP_TRACING_RECORDER_FILE, WARP_TRACING_RECORDER_MAX_ITEMS and WARPO_RECORDER_FORMAT,
 * _POLICY, _BUFFER, _MAX_BYTES, _CLOCK and _CRASH_SAFE say; NULL if the first is unset or empty. A
 * value that means nothing is an error, and nothing is recorded. */
WARPO_RECORDER_API warpo_recorder *warpo_recorder_open_from_environment(void);

/* Sets in `options` what WARPO_RECORDER_FORMAT, _POLICY, _BUFFER, _MAX_BYTES, _CLOCK and
 * _CRASH_SAFE say, for
 * who takes the rest from elsewhere. NULL, or in words what is wrong with one of them. */
WARPO_RECORDER_API const char *warpo_recorder_read_environment(warpo_recorder_options *options);

/* Tells the record of a module, best before its first stream is opened. May be called again with
 * the same id for further functions. WARPO_FORMAT_WARP has no place for it. Returns 0 or an errno:
 * EINVAL for a function whose id is not positive, ENOMEM. */
WARPO_RECORDER_API int warpo_recorder_add_module(warpo_recorder *recorder,
                                                 const warpo_module_info *module);

/* Writes what the rings of all streams hold as a whole record, to `fd` or, if that is -1, in place
 * of what the recorder's own file holds. Streams may be in use; what they record meanwhile may be
 * lost, and is counted. Only calls that are safe in a signal handler are made, so it may be called
 * from one. Returns 0 or an errno: EINVAL if the policy is not WARPO_POLICY_RING, EBUSY while
 * another dump runs. */
WARPO_RECORDER_API int warpo_recorder_dump(warpo_recorder *recorder, int fd);

/* Completes the record of a crash-safe recorder whose process was killed with what `<file>.live`
 * holds, and removes that. Returns 0 or an errno: ENOENT if there is no such file, EBUSY if the
 * process lives, EINVAL if the file is damaged or another version's; the record is as it was then.
 * `events`, if not NULL, gets how many were added. */
WARPO_RECORDER_API int warpo_recorder_recover(const char *file, uint64_t *events);

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

/* A new stream for one instance of a module on one thread. WARPO_FORMAT_WARP has no threads and
 * wants each module in time order: there a second stream of a module that has an open one is an
 * error (EBUSY), all of it counted as lost. NULL only if `recorder` is NULL or memory is short
 * (ENOMEM). */
WARPO_RECORDER_API warpo_stream *warpo_stream_open(warpo_recorder *recorder, uint64_t module);

/* Writes what waits in the stream and releases it. */
WARPO_RECORDER_API void warpo_stream_close(warpo_stream *stream);

/* Writes what waits in the stream: before a long pause, or so that another process sees it. Not
 * with WARPO_POLICY_RING. */
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

/* A stream that two threads use at once loses events: the recorder's error then is EDEADLK. */
WARPO_RECORDER_API void warpo_stream_misused(warpo_stream *stream);

/* Records that the module reached builtin.tracePoint(id). */
static inline void warpo_trace_point(warpo_stream *stream, int32_t id) {
  if (!stream)
    return;
#ifndef NDEBUG
  if (__atomic_load_n(&stream->in_use, __ATOMIC_RELAXED))
    warpo_stream_misused(stream);
  __atomic_store_n(&stream->in_use, 1, __ATOMIC_RELAXED);
#endif
  uint64_t now = warpo_clock();
  warpo_record *record = stream->next;
  if (__builtin_expect(((now - stream->base) >> WARPO_WAIT_SHIFT) != 0 || record == stream->end, 0))
    record = warpo_stream_slow(stream, now);
  if (record) {
    record->module = stream->module;
    record->time = (uint32_t)now;
    record->id = id;
    __atomic_store_n(&stream->next, record + 1, __ATOMIC_RELEASE);
  }
#ifndef NDEBUG
  __atomic_store_n(&stream->in_use, 0, __ATOMIC_RELAXED);
#endif
}

/* Something that the host did for the program, such as compiling it. */
typedef struct warpo_phase {
  const char *name;    /* of at most 64 bytes, as all texts here */
  uint64_t begin, end; /* in counts of the recorder's clock, perhaps before it was opened; 0 with
                          WARPO_CLOCK_FUEL */
  const char *unit; /* what `ticks` counts, in the plural; NULL: nobody knows how much there was */
  uint64_t ticks;
} warpo_phase;

/* Says in the record what the host did, in this order; at most 65536 at once. Returns 0 or an errno
 * value. WARPO_FORMAT_WARP has no place for it. */
WARPO_RECORDER_API int warpo_recorder_add_phases(warpo_recorder *recorder,
                                                 const warpo_phase *phases, size_t count);

#ifdef __cplusplus
}
#endif

#endif
