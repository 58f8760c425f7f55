/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of samples and heap events, which name stacks (samples.c, heap.c). All of it runs under
 * the recorder's lock. */
#ifndef WARPO_RECORDER_SAMPLE_STREAM_STATE_H
#define WARPO_RECORDER_SAMPLE_STREAM_STATE_H

#include "files.h"
#include "warpo/Recorder/sample_stream.h"

/* Heap events that wait to be packed. */
typedef struct warpo_waiting_heap {
  warpo_block block; /* in `bytes` */
  warpo_heap_place place;
  uint64_t last_time;
  uint64_t waiting;
  uint64_t cut_stacks; /* of all changes so far */
  uint8_t bytes[warpo_heap_block_size];
} warpo_waiting_heap;

struct warpo_sample_stream {
  warpo_recorder *recorder;
  struct warpo_sample_stream *following;
  const char *name;
  uint64_t number, module_number, thread;
  pid_t process;
  bool refused;
  bool declared;
  warpo_sampled_by due;
  uint64_t interval;
  uint64_t last_time, last_fuel;
  uint64_t waiting;  /* samples in the block */
  warpo_block block; /* in `bytes` */
  uint8_t bytes[warpo_samples_block_size];
  warpo_waiting_heap *heap; /* or NULL */
};

/* A new stream, or NULL. */
warpo_sample_stream *warpo_side_stream_open(warpo_recorder *recorder, const char *name,
                                            uint64_t module, warpo_sampled_by due,
                                            uint64_t interval, bool is_heap);
/* Locks or unlocks the recorder. In a forked child, begins its record. */
void warpo_side_stream_lock(warpo_sample_stream *stream);
void warpo_side_stream_unlock(warpo_sample_stream *stream);
/* Whether one more entry may be recorded; if not, counts it as lost. */
bool warpo_side_stream_takes_one(warpo_sample_stream *stream);
/* Writes a block with `entries` entries, after what it refers to. */
void warpo_side_stream_write(warpo_sample_stream *stream, warpo_block *block, uint64_t entries);
/* The number of the stack that `frame` forms within stack `around`; 0 without room for it. */
uint64_t warpo_side_stack(warpo_recorder *recorder, uint64_t around,
                          const warpo_sample_frame *frame, const warpo_frame_place *place);

/* heap.c */
void warpo_heap_flush(warpo_sample_stream *stream);

#endif
