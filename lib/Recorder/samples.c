/* Samples and the stacks that they name. All is done under the recorder's lock by the thread that
 * samples: a thousand times a second at most, that costs nothing worth a buffer of its own. */
#define _GNU_SOURCE /* syscall */
#include "samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  samples_block = 1 << 14,
  most_frames = 1 << 16,
  /* A sample: three numbers. */
  most_sample = 30,
};

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
  uint64_t waiting; /* samples in the block */
  uint8_t *next;    /* NULL outside of a block */
  uint8_t block[samples_block];
};

/* ---- Writing ---- */

static void lose(warpo_recorder *recorder, uint64_t count) {
  bool full = atomic_load(&recorder->stop) == warpo_stop_limit;
  *(full ? &recorder->counts.lost_to_limit : &recorder->counts.lost_to_failure) += count;
}

static bool has_room(warpo_recorder *recorder) {
  return !recorder->limited || warpo_take_one(recorder);
}

static bool write_block(warpo_recorder *recorder, uint8_t *block, const uint8_t *end,
                        warpo_block_kind kind) {
  size_t size = (size_t)(end - block);
  if (atomic_load(&recorder->stop) != warpo_running || recorder->finished)
    return false;
  if (!warpo_file_fits(recorder, size)) {
    atomic_store(&recorder->stop, warpo_stop_limit);
    return false;
  }
  warpo_frame_block(block, kind, 0, size - warpo_block_header_size);
  bool written = warpo_sink_write(&recorder->sink, block, size, size) == size;
  if (!written)
    atomic_store(&recorder->stop, warpo_stop_failed);
  return written;
}

static bool declare(warpo_sample_stream *stream) {
  if (stream->declared)
    return true;
  const warpo_stream_full known = {
      .number = stream->number, .module_number = stream->module_number, .thread = stream->thread};
  uint8_t block[warpo_stream_block_size];
  size_t size = warpo_file_stream_block(&known, block);
  stream->declared = write_block(stream->recorder, block, block + size, warpo_block_stream);
  return stream->declared;
}

static void finish_block(warpo_sample_stream *stream) {
  warpo_recorder *recorder = stream->recorder;
  if (!stream->next)
    return;
  /* Stacks come before the samples that name them. */
  bool written = warpo_stacks_write(recorder) && declare(stream) &&
                 write_block(recorder, stream->block, stream->next, warpo_block_samples);
  if (written)
    recorder->counts.written += stream->waiting;
  else
    lose(recorder, stream->waiting);
  stream->next = NULL;
  stream->waiting = 0;
}

bool warpo_stacks_write(warpo_recorder *recorder) {
  warpo_stacks *stacks = recorder->stacks;
  if (!stacks || !stacks->next)
    return true;
  bool written = write_block(recorder, stacks->block, stacks->next, warpo_block_stacks);
  stacks->next = NULL;
  return written;
}

void warpo_samples_flush(warpo_recorder *recorder) {
  for (warpo_sample_stream *stream = recorder->sample_streams; stream; stream = stream->following)
    finish_block(stream);
}

/* ---- Streams ---- */

static const char *contradiction(const warpo_recorder *recorder) {
  if (recorder->options.format != WARPO_FORMAT_WARPO)
    return "the format warp has no place for samples";
  if (recorder->options.policy == WARPO_POLICY_RING || recorder->options.crash_safe)
    return "samples are neither kept in rings nor crash-safe";
  return NULL;
}

static bool make_stacks(warpo_recorder *recorder) {
  if (!recorder->stacks)
    recorder->stacks = calloc(1, sizeof(*recorder->stacks));
  return recorder->stacks != NULL;
}

static void begin(warpo_sample_stream *stream) {
  warpo_recorder *recorder = stream->recorder;
  stream->thread = (uint64_t)syscall(SYS_gettid);
  stream->process = recorder->process;
  stream->last_time = warpo_clock_now(recorder->options.clock);
}

static warpo_sample_stream *open_locked(warpo_recorder *recorder, uint64_t module,
                                        warpo_sampled_by due, uint64_t interval) {
  warpo_sample_stream *stream = calloc(1, sizeof(*stream));
  if (!stream)
    return NULL;
  stream->recorder = recorder;
  stream->due = due;
  stream->interval = interval;
  const char *wrong = contradiction(recorder);
  if (wrong) {
    stream->refused = true;
    warpo_sink_fail(&recorder->sink, wrong, EINVAL);
  } else {
    stream->module_number = warpo_module_number(recorder, module);
    if (!make_stacks(recorder) || stream->module_number == UINT64_MAX || !warpo_declare_fuel(recorder)) {
      free(stream);
      return NULL;
    }
  }
  stream->number = recorder->next_stream++;
  begin(stream);
  stream->following = recorder->sample_streams;
  recorder->sample_streams = stream;
  return stream;
}

warpo_sample_stream *warpo_sample_stream_open(warpo_recorder *recorder, uint64_t module,
                                              warpo_sampled_by due, uint64_t interval) {
  if (!recorder)
    return NULL;
  pthread_mutex_lock(&recorder->lock);
  warpo_sample_stream *stream = open_locked(recorder, module, due, interval);
  if (!stream)
    warpo_sink_fail(&recorder->sink, "no memory for a stream", ENOMEM);
  pthread_mutex_unlock(&recorder->lock);
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
  pthread_mutex_lock(&recorder->lock);
  remove_stream(stream);
  pthread_mutex_unlock(&recorder->lock);
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
    stream->next = NULL;
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
static uint64_t intern(warpo_recorder *recorder, const warpo_sample_frame *frames, size_t count) {
  static const warpo_sample_frame deeper = {.text = "(deeper)"};
  uint64_t node = 0;
  for (size_t i = 0; i < count && i <= most_frames; ++i) {
    const warpo_sample_frame *frame = i == most_frames ? &deeper : &frames[i];
    if (!frame->text && frame->id <= 0)
      continue;
    uint64_t module =
        frame->text ? warpo_text_module : warpo_module_number(recorder, frame->module);
    if (!frame->text && module == UINT64_MAX)
      break;
    if (warpo_stacks_is_full(recorder->stacks))
      warpo_stacks_write(recorder);
    uint64_t child = warpo_stacks_child(recorder->stacks, node, module, frame->id, frame->text);
    if (child == 0)
      break;
    node = child;
  }
  return node;
}

static void begin_block(warpo_sample_stream *stream) {
  uint8_t *at = stream->block + warpo_block_header_size;
  at = warpo_put_u(at, stream->number);
  at = warpo_put_u(at, stream->due);
  at = warpo_put_u(at, stream->interval);
  at = warpo_put_fixed(at, stream->last_time, 8);
  stream->next = warpo_put_fixed(at, stream->last_fuel, 8);
}

static void add(warpo_sample_stream *stream, uint64_t fuel, uint64_t node) {
  warpo_recorder_clock clock = stream->recorder->options.clock;
  uint64_t time = clock == WARPO_CLOCK_FUEL ? fuel : warpo_clock_now(clock);
  /* Clocks that go back stand still. */
  time = time < stream->last_time ? stream->last_time : time;
  fuel = fuel < stream->last_fuel ? stream->last_fuel : fuel;
  if (!stream->next)
    begin_block(stream);
  uint8_t *at = warpo_put_u(stream->next, time - stream->last_time);
  at = warpo_put_u(at, fuel - stream->last_fuel);
  stream->next = warpo_put_u(at, node);
  stream->last_time = time;
  stream->last_fuel = fuel;
  ++stream->waiting;
  if (stream->next > stream->block + samples_block - most_sample)
    finish_block(stream);
}

void warpo_sample(warpo_sample_stream *stream, uint64_t fuel, const warpo_sample_frame *frames,
                  size_t count) {
  if (!stream)
    return;
  warpo_recorder *recorder = stream->recorder;
  pthread_mutex_lock(&recorder->lock);
  if (stream->process != recorder->process) {
    warpo_process_begin_record(recorder);
    begin(stream);
  }
  if (stream->refused || recorder->finished || !make_stacks(recorder) || atomic_load(&recorder->stop) != warpo_running)
    lose(recorder, 1);
  else if (!has_room(recorder))
    ++recorder->counts.lost_to_limit;
  else
    add(stream, fuel, intern(recorder, frames, count));
  pthread_mutex_unlock(&recorder->lock);
}
