/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a killed process's .live file, which recover.c adds to the record. Do not trust
 * its numbers before warpo_live_is_sound() accepts them. */
#ifndef WARPO_RECORDER_LIVE_CONTENTS_H
#define WARPO_RECORDER_LIVE_CONTENTS_H

#include "event_output.h"
#include "live_file.h"

typedef struct warpo_live_contents {
  const char *bytes;
  uint64_t size;
} warpo_live_contents;

static inline const warpo_live_header *warpo_live_header_of(const warpo_live_contents *from) {
  return (const warpo_live_header *)from->bytes;
}

/* Whether this version wrote the file. */
bool warpo_live_is_known(const warpo_live_contents *from);
/* What the record contains, and what is missing of streams that are no longer in the file. */
warpo_live_totals warpo_live_totals_of(const warpo_live_contents *from);
/* The first unfinished stream from this place of the file on; NULL after the last. */
const warpo_live_stream *warpo_live_find(const warpo_live_contents *from, uint64_t *place);

/* Whether the stream's numbers are consistent with the file and each other. The functions below
 * require it. */
bool warpo_live_is_sound(const warpo_live_contents *from, const warpo_live_stream *stream);
/* How many of its events will be missing once the record is complete. */
uint64_t warpo_live_lost_of(const warpo_live_contents *from, const warpo_live_stream *stream);
/* Whether there are events or losses to add. */
bool warpo_live_has_more(const warpo_live_contents *from, const warpo_live_stream *stream);
void warpo_live_put(const warpo_live_contents *from, const warpo_live_stream *stream,
                    warpo_event_output *to);

#endif
