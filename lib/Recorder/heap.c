/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_stream.h"
#include "stacks.h"
#include "warpo/Recorder/heap_stream.h"

warpo_sample_stream *warpo_heap_stream_open(warpo_recorder *recorder, uint64_t module) {
  warpo_sample_stream *stream =
      warpo_side_stream_open(recorder, "heap", module, WARPO_SAMPLED_UNKNOWN, 0, /*is_heap=*/true);
  if (stream)
    stream->heap->block = warpo_block_in(stream->heap->bytes, sizeof(stream->heap->bytes));
  return stream;
}

/* Set in the number of a stack that has lost a frame, as there was no room: those within it would
 * seem to be called by the wrong one, and are the same stack. */
static const uint64_t is_cut = UINT64_C(1) << 63;

/* A parent's numbers mean nothing in its child. */
static uint64_t known(const warpo_recorder *recorder, uint64_t stack) {
  stack &= ~is_cut;
  return recorder->stacks && stack <= recorder->stacks->count ? stack : 0;
}

uint64_t warpo_heap_stack(warpo_sample_stream *stream, uint64_t around,
                          const warpo_sample_frame *frame) {
  if (!stream)
    return 0;
  if (around & is_cut)
    return around;
  warpo_side_stream_lock(stream);
  warpo_recorder *recorder = stream->recorder;
  around = known(recorder, around);
  uint64_t child = recorder->stacks ? warpo_side_stack(recorder, around, frame, NULL) : 0;
  warpo_side_stream_unlock(stream);
  return child ? child : around | is_cut;
}

/* The events to record for a call; false: none. Also for calls that have been decoded already. */
static bool understand(const warpo_heap_change *change, warpo_heap_event *event) {
  event->memory = change->memory;
  event->address = change->address;
  event->size = change->size;
  event->old = change->old_address;
  switch (change->kind) {
  case WARPO_HEAP_ALLOCATES:
    event->operation = warpo_heap_allocate;
    return true;
  case WARPO_HEAP_FREES:
    event->operation = warpo_heap_free;
    return change->address != 0;
  case WARPO_HEAP_REALLOCATES:
    event->operation = change->old_address == 0 ? warpo_heap_allocate : warpo_heap_reallocate;
    if (change->old_address != 0 && change->size == 0 && change->address == 0) {
      event->operation = warpo_heap_free;
      event->address = change->old_address;
    }
    return true;
  case WARPO_HEAP_HAS_SIZE:
    event->operation = warpo_heap_grow;
    return true;
  case WARPO_HEAP_TABLE_HAS_SIZE:
    event->operation = warpo_heap_grow_table;
    return true;
  default:
    return false;
  }
}

void warpo_heap_sample(warpo_sample_stream *stream, uint64_t interval, uint64_t seed) {
  if (!stream)
    return;
  warpo_side_stream_lock(stream);
  warpo_heap_sampler_init(&stream->recorder->heap_sampler, interval, seed);
  warpo_side_stream_unlock(stream);
}

bool warpo_heap_chooses(warpo_sample_stream *stream, warpo_heap_change *change) {
  warpo_heap_event event = {0};
  if (!stream || !understand(change, &event))
    return false;
  warpo_side_stream_lock(stream);
  bool takes = warpo_heap_sampler_takes(&stream->recorder->heap_sampler, &event,
                                        /*others_free=*/false);
  warpo_side_stream_unlock(stream);
  change->kind = (int)event.operation;
  change->address = event.address;
  return takes;
}

void warpo_heap_flush(warpo_sample_stream *stream) {
  warpo_waiting_heap *heap = stream->heap;
  if (!heap || heap->waiting == 0)
    return;
  warpo_side_stream_write(stream, &heap->block, heap->waiting);
  heap->waiting = 0;
}

static void add(warpo_sample_stream *stream, warpo_heap_event *event) {
  warpo_waiting_heap *heap = stream->heap;
  /* The times of several threads order their events. */
  unsigned shift = stream->recorder->heap_streams > 1 ? 0 : warpo_heap_time_shift;
  event->time = event->time >> shift << shift;
  /* Clocks that go back stand still. */
  event->time = event->time < heap->last_time ? heap->last_time : event->time;
  if (heap->waiting > 0 && !warpo_heap_event_fits(&heap->place, event))
    warpo_heap_flush(stream);
  if (heap->waiting == 0) {
    const warpo_heap_fields fields = {stream->number, stream->recorder->heap_sampler.interval,
                                      event->memory, event->time, shift};
    warpo_begin_heap(&heap->block, &fields, event, &heap->place);
  }
  warpo_add_heap_event(&heap->block, &heap->place, event);
  heap->last_time = event->time;
  ++heap->waiting;
  if (!warpo_block_has_room(&heap->block, warpo_max_heap_event_size))
    warpo_heap_flush(stream);
}

void warpo_heap_changed(warpo_sample_stream *stream, uint64_t stack,
                        const warpo_heap_change *change) {
  warpo_heap_event event = {0};
  if (!stream || !stream->heap || !understand(change, &event))
    return;
  warpo_side_stream_lock(stream);
  warpo_recorder *recorder = stream->recorder;
  event.time = warpo_is_timeless(&recorder->streams) ? 0 : warpo_clock_now(recorder->options.clock);
  event.stack = known(recorder, stack);
  if (warpo_side_stream_takes_one(stream)) {
    add(stream, &event);
    stream->heap->cut_stacks += (stack & is_cut) != 0;
  }
  warpo_side_stream_unlock(stream);
}

uint64_t warpo_heap_cut_stacks(warpo_sample_stream *stream) {
  if (!stream || !stream->heap)
    return 0;
  warpo_side_stream_lock(stream);
  uint64_t count = stream->heap->cut_stacks;
  warpo_side_stream_unlock(stream);
  return count;
}
