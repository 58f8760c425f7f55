/* SPDX-License-Identifier: Apache-2.0 */
/* Sections: parts of its run that a program names by itself, with builtin.beginSection(ptr, len)
 * and builtin.endSection(). In the record they are calls of functions that nobody has, below the
 * function that began them.
 *
 *     ... warpo_section_begin(stream, name, length, fuel) in builtin.beginSection ...
 *     ... warpo_section_end(stream, fuel) in builtin.endSection ...
 *
 * A section ends in the function that began it. One that is not ended there ends with the function;
 * an end that has no section in its own function is left out. Both are counted, since a program
 * that does it is likely to be wrong. Which of it happened shows when the events are packed, so
 * that trace points need not follow the calls.
 *
 * WARPO_FORMAT_WARP has no names: there, nothing is recorded of sections.
 */
#ifndef WARPO_RECORDER_SECTION_H
#define WARPO_RECORDER_SECTION_H

#include "warpo/Recorder/event_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ids of sections are those from here on: instrumenting gives none of them. */
#define WARPO_FIRST_SECTION_ID 0x7fff0000

static inline int warpo_is_section(int32_t id) {
  return id >= WARPO_FIRST_SECTION_ID && id < WARPO_RECORDING_ID;
}

/* What of a name is kept, in bytes. */
#define WARPO_MAX_SECTION_NAME 1024
/* How many names a recorder has. */
#define WARPO_MAX_SECTION_NAMES 65000

/* A section begins on a stream of events. `name` is UTF-8 of `length` bytes, or NULL where the
 * program gave an address outside of its memory: such a section is called so. Longer names are cut,
 * what is no UTF-8 becomes U+FFFD, and a recorder has at most 65 000 names: further sections are
 * called so. `fuel` is what the instance has burnt; not looked at where the stream has none.
 * Returns the id, as warpo_section_id. */
WARPO_RECORDER_API int32_t warpo_section_begin(warpo_event_stream *stream, const char *name,
                                               size_t length, uint64_t fuel);

/* The innermost section ends that the current function has begun. */
WARPO_RECORDER_API void warpo_section_end(warpo_event_stream *stream, uint64_t fuel);

/* The id of a section of a module, for who keeps stacks by himself; 0 where nothing is recorded.
 */
WARPO_RECORDER_API int32_t warpo_section_id(warpo_recorder *recorder, uint64_t module,
                                            const char *name, size_t length);

/* What was wrong with sections: how often. */
typedef struct warpo_section_counts {
  uint64_t ends_without_begin;
  uint64_t never_ended; /* until their function, or their stream, ended */
  uint64_t not_utf8;    /* names */
  uint64_t too_long;
  uint64_t out_of_bounds;
  uint64_t too_many;
} warpo_section_counts;

/* Exact after warpo_recorder_close; of a ring the first two are not counted. */
WARPO_RECORDER_API warpo_section_counts warpo_recorder_get_section_counts(warpo_recorder *recorder);

#ifdef __cplusplus
}
#endif

#endif
