/* SPDX-License-Identifier: Apache-2.0 */
/* What the file .live of a killed process holds, as recover.c adds it to the record. Its numbers
 * are not to be trusted: is_sound() says whether they may be used. */
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

/* Whether it is what this version makes. */
bool warpo_live_is_known(const warpo_live_contents *from);
/* What the record holds, and what is missing of streams that lie here no more. */
warpo_live_totals warpo_live_totals_of(const warpo_live_contents *from);
/* The stream at this place of the file or the next that has not ended; NULL behind the last. */
const warpo_live_stream *warpo_live_find(const warpo_live_contents *from, uint64_t *place);

/* Whether the stream's numbers fit the file and each other. The functions below require it.
 */
bool warpo_live_is_sound(const warpo_live_contents *from, const warpo_live_stream *stream);
/* How many of its events are missing in the record and will be when it is whole. */
uint64_t warpo_live_lost_of(const warpo_live_contents *from, const warpo_live_stream *stream);
/* Whether there is something to add: its events, or that some are missing. */
bool warpo_live_has_more(const warpo_live_contents *from, const warpo_live_stream *stream);
void warpo_live_put(const warpo_live_contents *from, const warpo_live_stream *stream,
                    warpo_event_output *to);

#endif
