/* SPDX-License-Identifier: Apache-2.0 */
/* Sections: parts of a run that the program names itself, with
 * builtin.beginSection(ptr, len) and builtin.endSection(). In the record they
 * are calls of functions that no module has, made by the function that began
 * them.
 *
 *   ... warpo_section_begin(stream, name, length, fuel) in builtin.beginSection ...
 *   ... warpo_section_end(stream, fuel) in builtin.endSection ...
 *
 * A section ends in the function that began it. If it is not ended there, it
 * ends with the function; an end without a section in its own function is
 * ignored. Both are counted as probable mistakes of the program. They are
 * detected when events are packed, so trace points need not track calls.
 *
 * WARPO_FORMAT_WARP has no names; sections are not recorded there. */
#ifndef WARPO_RECORDER_SECTION_H
#define WARPO_RECORDER_SECTION_H

#include "warpo/Recorder/event_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sections have ids from here on, which instrumenting does not use. */
#define WARPO_FIRST_SECTION_ID 0x7fff0000

static inline int warpo_is_section(int32_t id) {
  return id >= WARPO_FIRST_SECTION_ID && id < WARPO_RECORDING_ID;
}

/* Longer names are cut to this many bytes. */
#define WARPO_MAX_SECTION_NAME 1024
/* The most names that a recorder can have. */
#define WARPO_MAX_SECTION_NAMES 65000

/* Begins a section on a stream of events. `name` is UTF-8 of `length` bytes, or NULL if the
 * program gave an address outside its memory; the section is then named accordingly. Longer names
 * are cut, invalid UTF-8 becomes U+FFFD, and all names beyond the 65 000th share one. `fuel` is
 * what the instance has burnt; ignored if the stream has none. Returns the id, as
 * warpo_section_id does. */
WARPO_RECORDER_API int32_t warpo_section_begin(warpo_event_stream *stream, const char *name,
                                               size_t length, uint64_t fuel);

/* Ends the innermost section that the current function has begun. */
WARPO_RECORDER_API void warpo_section_end(warpo_event_stream *stream, uint64_t fuel);

/* The id of a module's section, for embedders that keep stacks themselves; 0 if sections are not
 * recorded. */
WARPO_RECORDER_API int32_t warpo_section_id(warpo_recorder *recorder, uint64_t module,
                                            const char *name, size_t length);

/* Counts of mistakes in the use of sections. */
typedef struct warpo_section_counts {
  uint64_t ends_without_begin;
  uint64_t never_ended; /* until their function, or their stream, ended */
  uint64_t not_utf8;    /* names */
  uint64_t too_long;
  uint64_t out_of_bounds;
  uint64_t too_many;
} warpo_section_counts;

/* Exact after warpo_recorder_close. With WARPO_POLICY_RING the first two are not counted. */
WARPO_RECORDER_API warpo_section_counts warpo_recorder_get_section_counts(warpo_recorder *recorder);

#ifdef __cplusplus
}
#endif

#endif
