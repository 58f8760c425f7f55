/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder that an engine's embedder links: it writes a record of trace points.
 *
 * An embedder uses one stream for each instance and thread:
 *
 *   warpo_recorder *recorder = warpo_recorder_open_from_environment();
 *   warpo_stream *stream = warpo_stream_open(recorder, module_id);
 *   ... warpo_trace_point(stream, id) wherever the module calls builtin.tracePoint(id) ...
 *   warpo_stream_close(stream);
 *   warpo_recorder_close(recorder); // all is written now
 *   if (warpo_recorder_error(recorder))
 *     puts(warpo_recorder_error_text(recorder));
 *   warpo_recorder_free(recorder);
 *
 * A NULL recorder or stream means that recording is off: every function accepts them and does
 * nothing.
 *
 * See trace_point.h for engines that generate code, event_stream.h for fuel, stack_module.h
 * for modules that call each other, docs/recording.md for formats, policies and environment
 * variables.
 *
 * The recorder never ends the host: it installs no signal handler, a closed pipe or a
 * file-size limit raises no signal, and what cannot be written is counted as lost. If a pipe
 * is full, the recorder waits.
 *
 * Threads: a stream is used by one thread at a time (builds without NDEBUG detect
 * violations). Different streams, and all functions that take a recorder, may be used by
 * different threads at once, except close and free, which must come after the last use of
 * every stream.
 *
 * After a fork, the child's trace points go to a record of its own, `<file>.<pid>`, created
 * with the first of them; events that the parent had not written yet go only to the parent's
 * record. A recorder opened with a descriptor stops in the child.
 *
 * If a process exits without closing its recorders, exit() completes their records. */
#ifndef WARPO_RECORDER_WARPO_RECORDER_H
#define WARPO_RECORDER_WARPO_RECORDER_H

#include "warpo/Recorder/trace_point.h"

#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are stored as they are written, little endian"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* One trace point in a file of WARPO_FORMAT_WARP. */
typedef struct warpo_record {
  uint64_t module; /* identifier of the module */
  uint32_t time;   /* low 32 bits of warpo_clock() */
  int32_t id;      /* id > 0 begins, id < 0 ends a call of function |id| */
} warpo_record;

#define WARPO_NO_LIMIT UINT64_MAX

/* The form of the file. */
typedef enum warpo_recorder_format {
  WARPO_FORMAT_WARP = 0,  /* WARP's: 16 bytes an event, calls only, 32 bits of time; no names, no
                             fuel, no rate of the clock */
  WARPO_FORMAT_WARPO = 1, /* docs/record-format.md: says all of itself */
} warpo_recorder_format;

/* What happens to events while a stream's whole buffer waits to be written. WARPO_FORMAT_WARP
 * supports only the first policy, because it cannot say what is missing. */
typedef enum warpo_recorder_policy {
  WARPO_POLICY_BLOCK = 0, /* the trace point waits: nothing is lost */
  WARPO_POLICY_DROP = 1,  /* they are counted as lost, in the record too */
  WARPO_POLICY_RING = 2,  /* nothing is written until warpo_recorder_dump or the end, and only the
                             last events of each stream */
} warpo_recorder_policy;

typedef enum warpo_recorder_clock {
  WARPO_CLOCK_COUNTER = 0,   /* the processor's counter: warpo_clock() */
  WARPO_CLOCK_MONOTONIC = 1, /* CLOCK_MONOTONIC, for machines whose counters differ; several times
                                slower. WARPO_FORMAT_WARPO only */
  WARPO_CLOCK_FUEL = 2,      /* none: the record's only clock is the fuel that trace points give.
                                As the one before; for embedders to choose, not for users. The same
                                events make the same bytes: the record says nothing of threads, and
                                the thread that traces writes, whenever its buffer is half full. So
                                nothing is dropped, and several threads may mix differently */
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
  const char *fuel_costs; /* what the costs of instructions are called that fuel counts: up to 48
                             letters, digits, '-' and '_'; NULL: each costs 1 */
  int starts_off;         /* not 0: recording is switched off until warpo_recorder_set_enabled.
                             WARPO_FORMAT_WARPO only */
} warpo_recorder_options;

#define WARPO_RECORDER_OPTIONS_DEFAULT                                                             \
  {NULL,                                                                                           \
   -1,                                                                                             \
   WARPO_NO_LIMIT,                                                                                 \
   4096,                                                                                           \
   WARPO_NO_LIMIT,                                                                                 \
   0,                                                                                              \
   WARPO_FORMAT_WARPO,                                                                             \
   WARPO_POLICY_BLOCK,                                                                             \
   WARPO_CLOCK_COUNTER,                                                                            \
   0,                                                                                              \
   NULL,                                                                                           \
   0}

/* The number of trace points by outcome; exact after warpo_recorder_close. Ends without a section
 * are only in warpo_section_counts. */
typedef struct warpo_recorder_counts {
  uint64_t written;         /* in the file */
  uint64_t lost_to_limit;   /* came after max_items or max_bytes */
  uint64_t lost_to_failure; /* could not be written, or came to a refused stream */
  uint64_t lost_to_buffer;  /* came while the buffer was full, or were overwritten in a ring */
  uint64_t meaningless;     /* had an id that no function has, 0 or -2^31: WARPO_FORMAT_WARPO */
  uint64_t switched_off;    /* came while recording was switched off: these are no losses */
} warpo_recorder_counts;

/* A function of a module, for the names in the record. */
typedef struct warpo_function_name {
  int32_t id; /* as in trace points, positive */
  const char *name;
} warpo_function_name;

/* Describes a module in the record. All of it is copied. */
typedef struct warpo_module_info {
  uint64_t id;         /* that streams are opened with */
  const char *name;    /* or NULL */
  const uint8_t *hash; /* BLAKE3 of the original module, 32 bytes; or NULL */
  const uint8_t *build_id;
  size_t build_id_size; /* 0: unknown */
  const warpo_function_name *functions;
  size_t function_count;
  /* The contents of its section `warpo.places`; left out if larger than WARPO_MAX_PLACES
   * bytes. */
  const void *places;
  size_t places_size; /* 0: it has none */
} warpo_module_info;

/* The most that a block of a record can hold. */
enum { WARPO_MAX_PLACES = (1 << 24) - 16 };

/* Opens a record. NULL only without memory: if the file cannot be written, the recorder is in an
 * error state, in which it counts every trace point as lost. */
WARPO_RECORDER_API warpo_recorder *warpo_recorder_open(const warpo_recorder_options *options);

/* Opens the record that WARPO_RECORDER_FILE, _MAX_ITEMS, _FORMAT, _POLICY, _BUFFER,
 * _MAX_BYTES, _CLOCK, _CRASH_SAFE and _ENABLED describe; NULL if no file is set.
 * WARP_TRACING_RECORDER_FILE and _MAX_ITEMS are used if the first two are unset or empty; that
 * file has WARPO_FORMAT_WARP unless WARPO_RECORDER_FORMAT is set. An invalid value is an
 * error, and nothing is recorded. */
WARPO_RECORDER_API warpo_recorder *warpo_recorder_open_from_environment(void);

/* Sets `options` from WARPO_RECORDER_FORMAT, _POLICY, _BUFFER, _MAX_BYTES, _CLOCK,
 * _CRASH_SAFE and _ENABLED, for callers that set the rest themselves. Returns NULL or an
 * error message. */
WARPO_RECORDER_API const char *warpo_recorder_read_environment(warpo_recorder_options *options);

/* Describes a module to the record, preferably before its first stream is opened. May be called
 * again with the same id to add functions. Returns 0 or an errno: EINVAL if a function's id is not
 * positive, ENOTSUP with WARPO_FORMAT_WARP, which cannot store it, ENOMEM. */
WARPO_RECORDER_API int warpo_recorder_add_module(warpo_recorder *recorder,
                                                 const warpo_module_info *module);

/* Switches recording off or on in all streams, which may be in use. While it is off, calls are not
 * recorded; the record has a section `(recording off)` instead, as a call made by the function
 * recorded last. The section lasts from the first trace point that is not recorded to the first
 * that is again, or to the end of the stream. Calls with only their begin or only their end in that
 * time are recorded, so that the stack is right afterwards. Returns 0 or an errno: ENOTSUP with
 * WARPO_FORMAT_WARP, which cannot store it. */
WARPO_RECORDER_API int warpo_recorder_set_enabled(warpo_recorder *recorder, int enabled);
/* Whether recording is on; false for a NULL recorder. */
WARPO_RECORDER_API int warpo_recorder_is_enabled(const warpo_recorder *recorder);

/* Writes the contents of all streams' rings as a complete record, to `fd` or, if that is
 * -1, in place of the recorder's own file's contents. Streams may be in use; what they
 * record meanwhile may be lost, and is counted. Safe in a signal handler. Returns 0 or
 * an errno: EINVAL if the policy is not WARPO_POLICY_RING, EBUSY while another dump
 * runs. */
WARPO_RECORDER_API int warpo_recorder_dump(warpo_recorder *recorder, int fd);

/* Completes the record of a crash-safe recorder whose process was killed from `<file>.live`, and
 * removes that file. Returns 0 or an errno: ENOENT if there is no such file, EBUSY if the process
 * is alive, EINVAL if the file is damaged or another version's; on error the record is unchanged.
 * Sets `*events`, if not NULL, to the number of events added. */
WARPO_RECORDER_API int warpo_recorder_recover(const char *file, uint64_t *events);

/* Closes all streams, writes their buffered events and closes the file. Errors and counts can still
 * be read. */
WARPO_RECORDER_API void warpo_recorder_close(warpo_recorder *recorder);

/* Closes the recorder if it is still open, and releases it. */
WARPO_RECORDER_API void warpo_recorder_free(warpo_recorder *recorder);

/* The errno of the first error, or 0. */
WARPO_RECORDER_API int warpo_recorder_error(const warpo_recorder *recorder);

/* The same as a message, such as "out.rec: cannot write: No space left on device"; "" without an
 * error. Lives as long as the recorder. */
WARPO_RECORDER_API const char *warpo_recorder_error_text(const warpo_recorder *recorder);

WARPO_RECORDER_API warpo_recorder_counts warpo_recorder_get_counts(const warpo_recorder *recorder);

/* The rate of the record's clock: the quotient of these two, as measured so far. Both are 0 if fuel
 * is the clock or the rate could not be measured. */
typedef struct warpo_clock_rate {
  uint64_t nanoseconds, counts;
} warpo_clock_rate;
WARPO_RECORDER_API warpo_clock_rate warpo_recorder_get_rate(const warpo_recorder *recorder);

/* Work that the host did for the program, such as compiling it. */
typedef struct warpo_phase {
  const char *name;    /* of at most 64 bytes, as all texts here */
  uint64_t begin, end; /* in counts of the recorder's clock, perhaps before it was opened; 0 with
                          WARPO_CLOCK_FUEL */
  const char *unit; /* what `ticks` counts, in the plural; NULL: nobody knows how much there was */
  uint64_t ticks;
} warpo_phase;

/* Adds phases of the host to the record, in this order; at most 65536 at once. Returns 0 or
 * an errno: ENOTSUP with WARPO_FORMAT_WARP, which cannot store them, EINVAL for too many,
 * ENOMEM. */
WARPO_RECORDER_API int warpo_recorder_add_phases(warpo_recorder *recorder,
                                                 const warpo_phase *phases, size_t count);

#ifdef __cplusplus
}
#endif

#endif
