/* Events from the memory of streams straight to a descriptor, for those who come when nobody drains
 * any more: flight.c and recover.c. Nothing here allocates or locks, and all of it is safe in a
 * signal handler. */
#ifndef WARPO_RECORDER_EVENT_OUTPUT_H
#define WARPO_RECORDER_EVENT_OUTPUT_H

#include "internal.h"

/* After an error nothing more is written. */
typedef struct warpo_event_output {
  int fd;
  warpo_event_encoder *encoder; /* of the caller, for one stream after the other */
  int error;
  uint64_t size;   /* what was written, in bytes, */
  uint64_t events; /* and in events */
  uint64_t lost;   /* that were told to be missing */
  warpo_reading last_read;
} warpo_event_output;

void warpo_output_put(warpo_event_output *to, const void *bytes, size_t size);
/* Declares a stream; `complete`: what follows begins with its first event. */
void warpo_output_begin_stream(warpo_event_output *to, const warpo_stream_full *stream,
                               bool complete);
/* The entries from `begin` to `end` of a chunk of the stream. */
void warpo_output_put_entries(warpo_event_output *to, const warpo_stream_full *stream,
                              uint64_t base, const char *begin, const char *end);
void warpo_output_put_loss(warpo_event_output *to, uint64_t since, uint64_t count,
                           warpo_loss_cause cause);
void warpo_output_end_stream(warpo_event_output *to);
/* Ends the record, in which there are `before` further events. */
void warpo_output_end(warpo_event_output *to, uint64_t before);

#endif
