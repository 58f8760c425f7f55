/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of streams that have ended. A record has a limited number of streams, so in one with many
 * a thread's new stream continues one of its streams that have ended: the same module, nothing
 * open, nothing missing. */
#include "files.h"

#include <stdlib.h>

enum {
  /* Until a record has so many streams, each is one of its own. */
  separate_streams = 1 << 12,
  buckets = 256,
};

typedef struct ended_stream {
  struct ended_stream *following;
  uint64_t number, module_number, thread;
  uint64_t last_time;
} ended_stream;

struct warpo_ended_streams {
  ended_stream *by_thread[buckets];
};

/* Whether the times of such a stream go on where those of an ended one stopped: fuel and other
 * measures begin anew in each instance. */
static bool has_going_times(const warpo_stream_full *stream) {
  return stream->form == warpo_entry_event && !warpo_is_timeless(stream->shared);
}

static ended_stream **bucket_of(warpo_recorder *recorder, uint64_t thread) {
  return &recorder->ended_streams->by_thread[thread % buckets];
}

void warpo_stream_has_ended(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  const warpo_event_encoder *encoder = &stream->encoder;
  bool is_whole = encoder->complete && encoder->depth == 0;
  if (!is_whole || !stream->declared || stream->window_count != 0 || !has_going_times(stream))
    return;
  if (!recorder->ended_streams)
    recorder->ended_streams = calloc(1, sizeof(*recorder->ended_streams));
  ended_stream *made = recorder->ended_streams ? malloc(sizeof(*made)) : NULL;
  if (!made)
    return;
  ended_stream **first = bucket_of(recorder, stream->thread);
  *made = (ended_stream){*first, stream->number, stream->module_number, stream->thread,
                         encoder->last_time};
  *first = made;
}

bool warpo_stream_continues(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  if (!recorder->ended_streams || recorder->declared_streams < separate_streams ||
      !has_going_times(stream))
    return false;
  ended_stream **link = bucket_of(recorder, stream->thread);
  while (*link &&
         ((*link)->thread != stream->thread || (*link)->module_number != stream->module_number))
    link = &(*link)->following;
  ended_stream *found = *link;
  if (!found)
    return false;
  *link = found->following;
  stream->number = found->number;
  stream->declared = true;
  stream->encoder.last_time = found->last_time;
  free(found);
  return true;
}

void warpo_ended_streams_free(warpo_ended_streams *ended) {
  if (!ended)
    return;
  for (size_t i = 0; i < buckets; ++i)
    while (ended->by_thread[i]) {
      ended_stream *first = ended->by_thread[i];
      ended->by_thread[i] = first->following;
      free(first);
    }
  free(ended);
}
