/* SPDX-License-Identifier: Apache-2.0 */
/* Samples and their stacks. The sampling thread does all of this under the recorder's lock: at a
 * thousand samples a second a buffer would gain nothing. */
#include "sample_stream.h"
#include "stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing ---- */

static void lose_to_limit(warpo_recorder *recorder, uint64_t count) {
  recorder->counts.lost_to_limit += count;
  atomic_fetch_add_explicit(&recorder->gone, count, memory_order_relaxed);
}

static void lose(warpo_recorder *recorder, uint64_t count) {
  if (atomic_load(&recorder->streams.stop) == warpo_stop_limit) {
    lose_to_limit(recorder, count);
    return;
  }
  recorder->counts.lost_to_failure += count;
  atomic_fetch_add_explicit(&recorder->gone, count, memory_order_relaxed);
  warpo_count_refused(&recorder->streams, count);
}

static bool has_room(warpo_recorder *recorder) {
  return !recorder->streams.limited || warpo_take_one(&recorder->streams);
}

static bool write_block(warpo_recorder *recorder, warpo_block *block) {
  size_t size = warpo_finish_block(block);
  if (atomic_load(&recorder->streams.stop) != warpo_running || recorder->finished)
    return false;
  if (!warpo_file_fits(recorder, size)) {
    atomic_store(&recorder->streams.stop, warpo_stop_limit);
    return false;
  }
  bool written = warpo_sink_write(&recorder->sink, block->bytes, size, size) == size;
  if (!written)
    atomic_store(&recorder->streams.stop, warpo_stop_failed);
  return written;
}

static bool declare(warpo_sample_stream *stream) {
  if (stream->declared)
    return true;
  if (!warpo_has_stream_left(stream->recorder))
    return false;
  const warpo_stream_fields fields = {stream->number, stream->module_number, stream->thread};
  uint8_t bytes[warpo_stream_block_room + 16];
  warpo_block block = warpo_block_in(bytes, sizeof(bytes));
  warpo_begin_stream(&block, &fields, warpo_text_from(stream->name));
  stream->declared = write_block(stream->recorder, &block);
  stream->recorder->declared_streams += stream->declared;
  return stream->declared;
}

static bool write_stacks(warpo_recorder *recorder) {
  warpo_stacks *stacks = recorder->stacks;
  if (!stacks || stacks->block.size == 0)
    return true;
  return (stacks->offsets.size == 0 || write_block(recorder, &stacks->offsets)) &&
         write_block(recorder, &stacks->block);
}

void warpo_side_stream_write(warpo_sample_stream *stream, warpo_block *block, uint64_t entries) {
  warpo_recorder *recorder = stream->recorder;
  if (!stream->declared && !warpo_has_stream_left(recorder)) {
    lose_to_limit(recorder, entries);
    block->size = 0;
    return;
  }
  /* Stacks precede the block that names them. */
  bool written = declare(stream) && write_stacks(recorder);
  uint64_t offset = recorder->sink.size;
  written = written && write_block(recorder, block);
  if (written) {
    recorder->counts.written += entries;
    warpo_tail_add(&recorder->tail, offset, entries);
  } else {
    lose(recorder, entries);
  }
  block->size = 0;
}

static void finish_block(warpo_sample_stream *stream) {
  if (stream->block.size != 0)
    warpo_side_stream_write(stream, &stream->block, stream->waiting);
  stream->waiting = 0;
}

static void flush(warpo_sample_stream *stream) {
  finish_block(stream);
  warpo_heap_flush(stream);
}

void warpo_samples_flush(warpo_recorder *recorder) {
  for (warpo_sample_stream *stream = recorder->sample_streams; stream; stream = stream->following)
    flush(stream);
}

/* ---- Streams ---- */

static const char *contradiction(const warpo_recorder *recorder) {
  if (!recorder->format->has_names)
    return "the format warp has no place for samples";
  if (recorder->options.policy == WARPO_POLICY_RING || recorder->options.crash_safe)
    return "samples and heap events are neither kept in rings nor crash-safe";
  return NULL;
}

static bool make_stacks(warpo_recorder *recorder) {
  if (!recorder->stacks)
    recorder->stacks = warpo_stacks_new();
  return recorder->stacks != NULL;
}

static void begin(warpo_sample_stream *stream) {
  warpo_recorder *recorder = stream->recorder;
  stream->thread = warpo_thread_number(recorder);
  stream->process = recorder->streams.process;
  stream->last_time = warpo_clock_now(recorder->options.clock);
}

static void release(warpo_sample_stream *stream) {
  free(stream->heap);
  free(stream);
}

static warpo_sample_stream *open_locked(warpo_recorder *recorder, const char *name, uint64_t module,
                                        warpo_sampled_by due, uint64_t interval, bool is_heap) {
  warpo_sample_stream *stream = calloc(1, sizeof(*stream));
  if (!stream)
    return NULL;
  if (is_heap && !(stream->heap = calloc(1, sizeof(*stream->heap)))) {
    free(stream);
    return NULL;
  }
  stream->recorder = recorder;
  stream->name = name;
  stream->block = warpo_block_in(stream->bytes, sizeof(stream->bytes));
  stream->due = due;
  stream->interval = interval;
  const char *wrong = contradiction(recorder);
  if (wrong) {
    stream->refused = true;
    warpo_sink_fail(&recorder->sink, wrong, EINVAL);
  } else {
    stream->module_number = warpo_module_number(recorder, module);
    if (!make_stacks(recorder) || stream->module_number == UINT64_MAX ||
        (!is_heap && due != WARPO_SAMPLED_BY_TIME &&
         !warpo_declare_measure(recorder, warpo_clock_fuel))) {
      release(stream);
      return NULL;
    }
  }
  stream->number = recorder->next_stream++;
  recorder->heap_streams += is_heap;
  begin(stream);
  stream->following = recorder->sample_streams;
  recorder->sample_streams = stream;
  if (warpo_is_timeless(&recorder->streams) && !wrong && warpo_writes_now(recorder))
    declare(stream);
  return stream;
}

warpo_sample_stream *warpo_side_stream_open(warpo_recorder *recorder, const char *name,
                                            uint64_t module, warpo_sampled_by due,
                                            uint64_t interval, bool is_heap) {
  if (!recorder)
    return NULL;
  pthread_mutex_lock(&recorder->streams.lock);
  warpo_sample_stream *stream = open_locked(recorder, name, module, due, interval, is_heap);
  if (!stream)
    warpo_sink_fail(&recorder->sink, "no memory for a stream", ENOMEM);
  pthread_mutex_unlock(&recorder->streams.lock);
  return stream;
}

warpo_sample_stream *warpo_sample_stream_open(warpo_recorder *recorder, uint64_t module,
                                              warpo_sampled_by due, uint64_t interval) {
  return warpo_side_stream_open(recorder, "samples", module, due, interval, /*is_heap=*/false);
}

static void remove_stream(warpo_sample_stream *stream) {
  flush(stream);
  warpo_sample_stream **link = &stream->recorder->sample_streams;
  while (*link != stream)
    link = &(*link)->following;
  *link = stream->following;
  release(stream);
}

void warpo_sample_stream_close(warpo_sample_stream *stream) {
  if (!stream)
    return;
  warpo_recorder *recorder = stream->recorder;
  pthread_mutex_lock(&recorder->streams.lock);
  remove_stream(stream);
  pthread_mutex_unlock(&recorder->streams.lock);
}

void warpo_samples_free(warpo_recorder *recorder) {
  while (recorder->sample_streams)
    remove_stream(recorder->sample_streams);
  warpo_heap_sampler_free(&recorder->heap_sampler);
  if (recorder->stacks)
    warpo_stacks_free(recorder->stacks);
  recorder->stacks = NULL;
}

void warpo_samples_forget(warpo_recorder *recorder) {
  for (warpo_sample_stream *stream = recorder->sample_streams; stream; stream = stream->following) {
    stream->block.size = 0;
    stream->waiting = 0;
    if (stream->heap)
      stream->heap->block.size = stream->heap->waiting = 0;
    stream->declared = false;
  }
  /* Another record numbers stacks anew. The parent may have been changing its stacks when it
   * forked, so do not touch them. */
  recorder->parents_stacks = recorder->stacks;
  recorder->heap_sampler.objects = NULL;
  recorder->heap_sampler.capacity = recorder->heap_sampler.count = 0;
  recorder->stacks = NULL;
}

/* ---- Sampling ---- */

uint64_t warpo_side_stack(warpo_recorder *recorder, uint64_t around,
                          const warpo_sample_frame *frame, const warpo_frame_place *place) {
  warpo_stack_node node = {.parent = around, .module = warpo_text_module, .text = frame->text};
  if (!frame->text) {
    node.module = warpo_module_number(recorder, frame->module);
    if (node.module == UINT64_MAX)
      return 0;
    node.id = frame->id;
    if (place) {
      node.offset = place->offset;
      node.is_original = place->offset && place->is_original;
    }
  }
  if (warpo_stacks_is_full(recorder->stacks))
    write_stacks(recorder);
  return warpo_stacks_child(recorder->stacks, &node);
}

/* The node of a stack; queues new ones to be written. */
static uint64_t intern(warpo_recorder *recorder, const warpo_sample_frame *frames,
                       const warpo_frame_place *places, size_t count) {
  static const warpo_sample_frame deeper = {.text = "(deeper)"};
  uint64_t parent = 0;
  for (size_t i = 0; i < count && i <= warpo_max_frames; ++i) {
    const warpo_sample_frame *frame = i == warpo_max_frames ? &deeper : &frames[i];
    if (!frame->text && frame->id <= 0)
      continue;
    uint64_t child = warpo_side_stack(recorder, parent, frame, places ? &places[i] : NULL);
    if (child == 0)
      break;
    parent = child;
  }
  return parent;
}

static void add(warpo_sample_stream *stream, uint64_t time, uint64_t fuel, uint64_t node) {
  if (stream->recorder->options.clock == WARPO_CLOCK_FUEL)
    time = fuel;
  /* Times that go backwards become the previous time. */
  time = time < stream->last_time ? stream->last_time : time;
  fuel = fuel < stream->last_fuel ? stream->last_fuel : fuel;
  if (stream->block.size == 0) {
    const warpo_samples_fields fields = {stream->number, stream->due, stream->interval,
                                         stream->last_time, stream->last_fuel};
    warpo_begin_samples(&stream->block, &fields);
  }
  warpo_add_sample(&stream->block, time - stream->last_time, fuel - stream->last_fuel, node);
  stream->last_time = time;
  stream->last_fuel = fuel;
  ++stream->waiting;
  if (!warpo_block_has_room(&stream->block, warpo_max_sample_size))
    finish_block(stream);
}

void warpo_side_stream_lock(warpo_sample_stream *stream) {
  warpo_recorder *recorder = stream->recorder;
  pthread_mutex_lock(&recorder->streams.lock);
  if (stream->process == recorder->streams.process)
    return;
  recorder->calls->begin_record(recorder);
  begin(stream);
}

void warpo_side_stream_unlock(warpo_sample_stream *stream) {
  pthread_mutex_unlock(&stream->recorder->streams.lock);
}

bool warpo_side_stream_takes_one(warpo_sample_stream *stream) {
  warpo_recorder *recorder = stream->recorder;
  if (stream->refused || recorder->finished || !make_stacks(recorder) ||
      atomic_load(&recorder->streams.stop) != warpo_running)
    lose(recorder, 1);
  else if (!has_room(recorder))
    lose_to_limit(recorder, 1);
  else
    return true;
  return false;
}

/* `at` and `places` may be NULL: the time is now, the places are unknown. */
static void sample(warpo_sample_stream *stream, const uint64_t *at, uint64_t fuel,
                   const warpo_sample_frame *frames, const warpo_frame_place *places,
                   size_t count) {
  if (!stream)
    return;
  warpo_recorder *recorder = stream->recorder;
  warpo_side_stream_lock(stream);
  uint64_t time = at ? *at : warpo_clock_now(recorder->options.clock);
  if (fuel != 0 && !warpo_declare_measure(recorder, warpo_clock_fuel))
    lose(recorder, 1);
  else if (warpo_side_stream_takes_one(stream))
    add(stream, time, fuel, intern(recorder, frames, places, count));
  warpo_side_stream_unlock(stream);
}

void warpo_sample(warpo_sample_stream *stream, uint64_t fuel, const warpo_sample_frame *frames,
                  size_t count) {
  sample(stream, NULL, fuel, frames, NULL, count);
}

void warpo_sample_at(warpo_sample_stream *stream, uint64_t time, uint64_t fuel,
                     const warpo_sample_frame *frames, size_t count) {
  sample(stream, &time, fuel, frames, NULL, count);
}

void warpo_sample_places(warpo_sample_stream *stream, uint64_t fuel,
                         const warpo_sample_frame *frames, const warpo_frame_place *places,
                         size_t count) {
  sample(stream, NULL, fuel, frames, places, count);
}
