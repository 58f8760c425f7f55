/* SPDX-License-Identifier: Apache-2.0 */
/* Samples and the stacks that they name. All is done under the recorder's lock by the thread that
 * samples: a thousand times a second at most, that costs nothing worth a buffer of its own. */
#include "files.h"
#include "stacks.h"
#include "warpo/Recorder/sample_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct warpo_sample_stream {
  warpo_recorder *recorder;
  struct warpo_sample_stream *following;
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
};

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
  const warpo_text name = warpo_text_from("samples");
  const warpo_stream_fields fields = {stream->number, stream->module_number, stream->thread};
  uint8_t bytes[warpo_stream_block_room + 16];
  warpo_block block = warpo_block_in(bytes, sizeof(bytes));
  warpo_begin_stream(&block, &fields, name);
  stream->declared = write_block(stream->recorder, &block);
  return stream->declared;
}

static bool write_stacks(warpo_recorder *recorder) {
  warpo_stacks *stacks = recorder->stacks;
  if (!stacks || stacks->block.size == 0)
    return true;
  return (stacks->offsets.size == 0 || write_block(recorder, &stacks->offsets)) &&
         write_block(recorder, &stacks->block);
}

static void finish_block(warpo_sample_stream *stream) {
  warpo_recorder *recorder = stream->recorder;
  if (stream->block.size == 0)
    return;
  /* Stacks come before the samples that name them. */
  bool written = declare(stream) && write_stacks(recorder);
  uint64_t offset = recorder->sink.size;
  written = written && write_block(recorder, &stream->block);
  if (written) {
    recorder->counts.written += stream->waiting;
    warpo_tail_add(&recorder->tail, offset, stream->waiting);
  } else {
    lose(recorder, stream->waiting);
  }
  stream->block.size = 0;
  stream->waiting = 0;
}

void warpo_samples_flush(warpo_recorder *recorder) {
  for (warpo_sample_stream *stream = recorder->sample_streams; stream; stream = stream->following)
    finish_block(stream);
}

/* ---- Streams ---- */

static const char *contradiction(const warpo_recorder *recorder) {
  if (!recorder->format->has_names)
    return "the format warp has no place for samples";
  if (recorder->options.policy == WARPO_POLICY_RING || recorder->options.crash_safe)
    return "samples are neither kept in rings nor crash-safe";
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

static warpo_sample_stream *open_locked(warpo_recorder *recorder, uint64_t module,
                                        warpo_sampled_by due, uint64_t interval) {
  warpo_sample_stream *stream = calloc(1, sizeof(*stream));
  if (!stream)
    return NULL;
  stream->recorder = recorder;
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
        (due != WARPO_SAMPLED_BY_TIME && !warpo_declare_fuel(recorder))) {
      free(stream);
      return NULL;
    }
  }
  stream->number = recorder->next_stream++;
  begin(stream);
  stream->following = recorder->sample_streams;
  recorder->sample_streams = stream;
  if (warpo_is_timeless(&recorder->streams) && !wrong && warpo_writes_now(recorder))
    declare(stream);
  return stream;
}

warpo_sample_stream *warpo_sample_stream_open(warpo_recorder *recorder, uint64_t module,
                                              warpo_sampled_by due, uint64_t interval) {
  if (!recorder)
    return NULL;
  pthread_mutex_lock(&recorder->streams.lock);
  warpo_sample_stream *stream = open_locked(recorder, module, due, interval);
  if (!stream)
    warpo_sink_fail(&recorder->sink, "no memory for a stream", ENOMEM);
  pthread_mutex_unlock(&recorder->streams.lock);
  return stream;
}

static void remove_stream(warpo_sample_stream *stream) {
  finish_block(stream);
  warpo_sample_stream **link = &stream->recorder->sample_streams;
  while (*link != stream)
    link = &(*link)->following;
  *link = stream->following;
  free(stream);
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
  if (recorder->stacks)
    warpo_stacks_free(recorder->stacks);
  recorder->stacks = NULL;
}

void warpo_samples_forget(warpo_recorder *recorder) {
  for (warpo_sample_stream *stream = recorder->sample_streams; stream; stream = stream->following) {
    stream->block.size = 0;
    stream->waiting = 0;
    stream->declared = false;
  }
  /* In another record stacks have other numbers. The parent may have been changing them when it
   * forked: nothing of theirs is touched. */
  recorder->parents_stacks = recorder->stacks;
  recorder->stacks = NULL;
}

/* ---- Sampling ---- */

/* The stack's node; those that are new are put down to be written. */
static uint64_t intern(warpo_recorder *recorder, const warpo_sample_frame *frames,
                       const warpo_frame_place *places, size_t count) {
  static const warpo_sample_frame deeper = {.text = "(deeper)"};
  uint64_t parent = 0;
  for (size_t i = 0; i < count && i <= warpo_max_frames; ++i) {
    const warpo_sample_frame *frame = i == warpo_max_frames ? &deeper : &frames[i];
    if (!frame->text && frame->id <= 0)
      continue;
    warpo_stack_node node = {.parent = parent, .module = warpo_text_module, .text = frame->text};
    if (!frame->text) {
      node.module = warpo_module_number(recorder, frame->module);
      if (node.module == UINT64_MAX)
        break;
      node.id = frame->id;
      if (places) {
        node.offset = places[i].offset;
        node.is_original = places[i].offset && places[i].is_original;
      }
    }
    if (warpo_stacks_is_full(recorder->stacks))
      write_stacks(recorder);
    uint64_t child = warpo_stacks_child(recorder->stacks, &node);
    if (child == 0)
      break;
    parent = child;
  }
  return parent;
}

static void add(warpo_sample_stream *stream, uint64_t time, uint64_t fuel, uint64_t node) {
  if (stream->recorder->options.clock == WARPO_CLOCK_FUEL)
    time = fuel;
  /* Clocks that go back stand still. */
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

/* `at` and `places` may be NULL: now, and unknown. */
static void sample(warpo_sample_stream *stream, const uint64_t *at, uint64_t fuel,
                   const warpo_sample_frame *frames, const warpo_frame_place *places,
                   size_t count) {
  if (!stream)
    return;
  warpo_recorder *recorder = stream->recorder;
  pthread_mutex_lock(&recorder->streams.lock);
  if (stream->process != recorder->streams.process) {
    recorder->calls->begin_record(recorder);
    begin(stream);
  }
  uint64_t time = at ? *at : warpo_clock_now(recorder->options.clock);
  bool has_clock = fuel == 0 || warpo_declare_fuel(recorder);
  if (stream->refused || recorder->finished || !has_clock || !make_stacks(recorder) ||
      atomic_load(&recorder->streams.stop) != warpo_running)
    lose(recorder, 1);
  else if (!has_room(recorder))
    lose_to_limit(recorder, 1);
  else
    add(stream, time, fuel, intern(recorder, frames, places, count));
  pthread_mutex_unlock(&recorder->streams.lock);
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
