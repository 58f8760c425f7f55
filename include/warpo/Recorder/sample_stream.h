/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: the whole call stack from time to time, instead of every call.
 *
 *   warpo_sample_stream *stream =
 *       warpo_sample_stream_open(recorder, module_id, WARPO_SAMPLED_BY_FUEL, 1000000);
 *   ... warpo_sample(stream, fuel, frames, count) when one is due ...
 *   warpo_sample_stream_close(stream);
 *
 * A record may have both samples and events. Each stack is stored once, so a sample of a known
 * stack takes a few bytes. WARPO_FORMAT_WARPO only, and not with WARPO_POLICY_RING or
 * crash_safe: otherwise opening a stream is an error (EINVAL), and all samples are counted as
 * lost. */
#ifndef WARPO_RECORDER_SAMPLE_STREAM_H
#define WARPO_RECORDER_SAMPLE_STREAM_H

#include "warpo/Recorder/warpo_recorder.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct warpo_sample_stream warpo_sample_stream;

/* What determines when samples are due; readers show it. */
typedef enum warpo_sampled_by {
  WARPO_SAMPLED_UNKNOWN = 0,
  WARPO_SAMPLED_BY_FUEL = 1, /* each time so much fuel had been burnt */
  WARPO_SAMPLED_BY_TIME = 2, /* each time so many nanoseconds had passed */
} warpo_sampled_by;

/* A function, or a named frame without a function, of a guest program or of the host. */
typedef struct warpo_sample_frame {
  uint64_t module;  /* its identifier, as streams are opened with */
  int32_t id;       /* as in trace points, positive */
  const char *text; /* NULL, or the name of a frame without a function: UTF-8, of which at most 1024
                       bytes are kept */
} warpo_sample_frame;

/* Like warpo_stream_open and warpo_stream_close. The first sample's time counts from now, its fuel
 * from 0. */
WARPO_RECORDER_API warpo_sample_stream *warpo_sample_stream_open(warpo_recorder *recorder,
                                                                 uint64_t module,
                                                                 warpo_sampled_by due,
                                                                 uint64_t interval);
WARPO_RECORDER_API void warpo_sample_stream_close(warpo_sample_stream *stream);

/* Records the current stack, outermost frame first. `fuel` is what the instance has burnt, 0 if it
 * is not counted. Invalid frames are left out; innermost frames beyond 65 536 become one with the
 * text `(deeper)`. A record can have 1 048 576 stacks (one for each frame); beyond that, innermost
 * frames are left out. Takes the recorder's lock, so not for signal handlers. */
WARPO_RECORDER_API void warpo_sample(warpo_sample_stream *stream, uint64_t fuel,
                                     const warpo_sample_frame *frames, size_t count);
/* The same for the stack at `time` by the record's clock, or at the previous sample's time if that
 * is later. With WARPO_CLOCK_FUEL the time is `fuel`. */
WARPO_RECORDER_API void warpo_sample_at(warpo_sample_stream *stream, uint64_t time, uint64_t fuel,
                                        const warpo_sample_frame *frames, size_t count);

/* A frame's place in the code. For a frame that called another one, the place of the call; for the
 * innermost, that of the next instruction. */
typedef struct warpo_frame_place {
  /* In bytes of the instrumented module's file, as engines count; 0: unknown. Readers map it to the
   * original by the section `warpo.places`; see warpo_module_info. */
  uint32_t offset;
  /* Whether `offset` counts in the original module, from the start of its code section's contents,
   * as in DWARF. */
  bool is_original;
} warpo_frame_place;

/* The same with each frame's place; `places` may be NULL. The same function at two places makes two
 * stacks. */
WARPO_RECORDER_API void warpo_sample_places(warpo_sample_stream *stream, uint64_t fuel,
                                            const warpo_sample_frame *frames,
                                            const warpo_frame_place *places, size_t count);

#ifdef __cplusplus
}
#endif

#endif
