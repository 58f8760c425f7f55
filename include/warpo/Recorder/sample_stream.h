/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: now and then the whole stack, in place of every call.
 *
 *     warpo_sample_stream *stream =
 *         warpo_sample_stream_open(recorder, module_id, WARPO_SAMPLED_BY_FUEL, 1000000);
 *     ... warpo_sample(stream, fuel, frames, count) when one is due ...
 *     warpo_sample_stream_close(stream);
 *
 * They may stand in one record with streams of events. Stacks are kept once each, so that a sample
 * of a known stack takes a few bytes. WARPO_FORMAT_WARPO only, and not with WARPO_POLICY_RING or
 * crash_safe: there opening a stream is an error (EINVAL), and all samples count as lost.
 */
#ifndef WARPO_RECORDER_SAMPLE_STREAM_H
#define WARPO_RECORDER_SAMPLE_STREAM_H

#include "warpo/Recorder/warpo_recorder.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct warpo_sample_stream warpo_sample_stream;

/* What decided when samples were due, for readers to know. */
typedef enum warpo_sampled_by {
  WARPO_SAMPLED_UNKNOWN = 0,
  WARPO_SAMPLED_BY_FUEL = 1, /* each time so much fuel had been burnt */
  WARPO_SAMPLED_BY_TIME = 2, /* each time so many nanoseconds had passed */
} warpo_sampled_by;

/* A function, or a frame that has a name and no function: of a guest program, of the host. */
typedef struct warpo_sample_frame {
  uint64_t module;  /* its identifier, as streams are opened with */
  int32_t id;       /* as in trace points, positive */
  const char *text; /* NULL, or the name of a frame without a function: UTF-8, of which at most 1024
                       bytes are kept */
} warpo_sample_frame;

/* As warpo_stream_open and warpo_stream_close. Time and fuel of the first sample count from now and
 * from 0. */
WARPO_RECORDER_API warpo_sample_stream *warpo_sample_stream_open(warpo_recorder *recorder,
                                                                 uint64_t module,
                                                                 warpo_sampled_by due,
                                                                 uint64_t interval);
WARPO_RECORDER_API void warpo_sample_stream_close(warpo_sample_stream *stream);

/* The stack as it is now, outermost frame first; `fuel` is what the instance has burnt so far, 0 if
 * nobody counts it. Frames that mean nothing are left out; the innermost of more than 65 536 become
 * one with the text `(deeper)`. A record holds 1 048 576 stacks (one for each frame): the innermost
 * frames of further ones are left out. Takes the recorder's lock: not for signal handlers. */
WARPO_RECORDER_API void warpo_sample(warpo_sample_stream *stream, uint64_t fuel,
                                     const warpo_sample_frame *frames, size_t count);
/* The same, of a stack as it was at `time` by the record's clock, or at the time of the sample
 * before if that is later. A clock of fuel takes `fuel`. */
WARPO_RECORDER_API void warpo_sample_at(warpo_sample_stream *stream, uint64_t time, uint64_t fuel,
                                        const warpo_sample_frame *frames, size_t count);

/* Where a frame was executing, in bytes; 0: unknown. Of a frame that has called another one the
 * call, else the instruction that comes next. */
typedef struct warpo_frame_place {
  /* In the file of the instrumented module, as engines count. Readers find the original's place by
   * what the section `warpo.places` says; see warpo_module_info. */
  uint32_t offset;
  /* Whether `offset` is one of the original module, from the beginning of its code section's
   * contents, as in DWARF. */
  bool is_original;
} warpo_frame_place;

/* The same with the place of each frame; `places` may be NULL. A function at two places is two
 * stacks. */
WARPO_RECORDER_API void warpo_sample_places(warpo_sample_stream *stream, uint64_t fuel,
                                            const warpo_sample_frame *frames,
                                            const warpo_frame_place *places, size_t count);

#ifdef __cplusplus
}
#endif

#endif
