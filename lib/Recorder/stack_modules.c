/* SPDX-License-Identifier: Apache-2.0 */
/* Further modules of a stream: assigns their ids there and declares them in the record. */
#include "files.h"
#include "warpo/Recorder/stack_module.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Ids from `first` up to `end`. */
typedef struct id_range {
  uint64_t first, end;
} id_range;

/* The ids that a module's trace points may use. */
static id_range ids_of(const warpo_recorder *recorder, uint64_t module) {
  const warpo_known_module *known = warpo_module_find(recorder, module);
  if (known && known->last_id != 0)
    return (id_range){(uint64_t)known->first_id,
                      (uint64_t)known->last_id + 1 +
                          (known->has_marks ? warpo_unknown_marked_ids - warpo_unknown_ids : 0)};
  /* A format without windows need not save numbers. */
  bool has_marks = !recorder->format->has_names || (known && known->has_marks);
  return (id_range){warpo_first_id,
                    warpo_first_id + (has_marks ? warpo_unknown_marked_ids : warpo_unknown_ids)};
}

const warpo_stream_window *warpo_stream_find_window(const warpo_stream_full *stream,
                                                    uint64_t module) {
  for (size_t i = 0; i < stream->window_count; ++i)
    if (stream->windows[i].module == module)
      return &stream->windows[i];
  return NULL;
}

static bool has_module(const warpo_stream_full *stream, uint64_t module) {
  return !stream->refused && (stream->module == module || warpo_stream_find_window(stream, module));
}

bool warpo_is_module_open(const warpo_recorder *recorder, uint64_t module,
                          const warpo_stream_full *but) {
  for (const warpo_stream_full *stream = recorder->streams.first; stream;
       stream = stream->following)
    if (stream != but && has_module(stream, module))
      return true;
  return false;
}

/* Changes the version at the record's start if that is still possible, else writes the new
 * version's signature. */
static void use_version_of_stacks(warpo_recorder *recorder) {
  if (recorder->clock.has_stacks)
    return;
  recorder->clock.has_stacks = true;
  if (recorder->live.header)
    memcpy(recorder->live.header->start, WARPO_STACK_SIGNATURE, warpo_signature_size);
  if (!warpo_writes_now(recorder))
    return;
  if (recorder->sink.regular)
    warpo_sink_correct(&recorder->sink, 0, WARPO_STACK_SIGNATURE, warpo_signature_size);
  else
    warpo_sink_write(&recorder->sink, WARPO_STACK_SIGNATURE, warpo_signature_size,
                     warpo_signature_size);
}

static void put_window(warpo_block *block, const warpo_stream_full *stream,
                       const warpo_window *window) {
  const warpo_stream_fields fields = warpo_stream_fields_of(stream);
  warpo_begin_stream(block, &fields, warpo_text_from(NULL));
  warpo_begin_windows(block);
  warpo_add_window(block, window);
}

/* False without room for it. */
static bool declare(warpo_stream_full *stream, const warpo_stream_window *window) {
  warpo_recorder *recorder = stream->recorder;
  if (!recorder->format->has_names)
    return true;
  uint64_t number = warpo_module_number(recorder, window->module);
  if (number == UINT64_MAX || (!stream->declared && !warpo_has_stream_left(recorder)))
    return false;
  const warpo_window fields = {number, window->id, window->first, window->count};
  warpo_block block = warpo_block_in(NULL, 0);
  put_window(&block, stream, &fields);
  size_t size = block.size;
  bool is_written = warpo_writes_now(recorder);
  if (is_written && !warpo_file_fits(recorder, size + warpo_signature_size))
    return false;
  warpo_declaration *made = warpo_declaration_new(size);
  if (!made)
    return false;
  block = warpo_block_in(made->block, size);
  put_window(&block, stream, &fields);
  warpo_finish_block(&block);
  use_version_of_stacks(recorder);
  warpo_declare(recorder, made);
  recorder->declared_streams += is_written && !stream->declared;
  stream->declared |= is_written;
  return true;
}

/* NULL if there are no ids left, no memory, or no room in the file. */
static const warpo_stream_window *add_window(warpo_stream_full *stream, uint64_t module) {
  if (stream->window_count == warpo_max_windows)
    return NULL;
  const warpo_stream_window *last =
      stream->window_count > 0 ? &stream->windows[stream->window_count - 1] : NULL;
  id_range ids = ids_of(stream->recorder, module);
  uint64_t first =
      last ? (uint64_t)last->first + last->count : ids_of(stream->recorder, stream->module).end;
  if (first + (ids.end - ids.first) > WARPO_FIRST_SECTION_ID)
    return NULL;
  warpo_stream_window *windows =
      realloc(stream->windows, (stream->window_count + 1) * sizeof(*windows));
  if (!windows)
    return NULL;
  stream->windows = windows;
  warpo_stream_window *made = &windows[stream->window_count];
  *made = (warpo_stream_window){module, (int32_t)ids.first, (int32_t)first,
                                (uint32_t)(ids.end - ids.first)};
  if (!declare(stream, made))
    return NULL;
  ++stream->window_count;
  return made;
}

static const char *lacks_module(const warpo_stream_full *stream, uint64_t module) {
  const warpo_recorder *recorder = stream->recorder;
  return !recorder->format->has_names && warpo_is_module_open(recorder, module, stream)
             ? "a second stream of the same module at the same time"
             : NULL;
}

static void choose_ids(warpo_stream_full *stream, uint64_t module, warpo_stack_module *joined) {
  if (stream->refused)
    return;
  if (module == stream->module) {
    joined->first = 1;
    joined->count = INT32_MAX;
    return;
  }
  const char *wrong = lacks_module(stream, module);
  if (wrong) {
    warpo_sink_fail(&stream->recorder->sink, wrong, EBUSY);
    return;
  }
  const warpo_stream_window *window = warpo_stream_find_window(stream, module);
  if (!window)
    window = add_window(stream, module);
  if (!window)
    return;
  joined->first = (uint32_t)window->id;
  joined->count = window->count;
  joined->delta = (uint32_t)window->first - (uint32_t)window->id;
}

warpo_stack_module *warpo_event_stream_join(warpo_event_stream *head, uint64_t module) {
  if (!head)
    return NULL;
  warpo_stream_full *stream = warpo_full(head);
  warpo_recorder *recorder = stream->recorder;
  warpo_joined *made = calloc(1, sizeof(*made));
  pthread_mutex_lock(&recorder->streams.lock);
  if (!made) {
    warpo_sink_fail(&recorder->sink, "no memory for a module of a stream", ENOMEM);
  } else {
    made->module.stream = head;
    made->module.total = &stream->total_fuel;
    made->module.has_fuel = stream->form == warpo_entry_fuel_event;
    made->module.is_timeless = warpo_is_timeless(&recorder->streams);
    choose_ids(stream, module, &made->module);
    made->next = stream->joined;
    stream->joined = made;
  }
  pthread_mutex_unlock(&recorder->streams.lock);
  return made ? &made->module : NULL;
}

void warpo_stream_forget_modules(warpo_stream_full *stream) {
  while (stream->joined) {
    warpo_joined *gone = stream->joined;
    stream->joined = gone->next;
    free(gone);
  }
  free(stream->windows);
  stream->windows = NULL;
  stream->window_count = 0;
  stream->total_fuel = 0;
}

warpo_record warpo_stream_resolve(const warpo_stream_full *stream, int32_t id) {
  warpo_record record = {stream->module, 0, id};
  uint32_t sign = (uint32_t)(id >> 31);
  uint32_t positive = ((uint32_t)id ^ sign) - sign;
  for (size_t i = 0; i < stream->window_count; ++i) {
    const warpo_stream_window *window = &stream->windows[i];
    uint32_t place = positive - (uint32_t)window->first;
    if (place >= window->count)
      continue;
    record.module = window->module;
    record.id = (int32_t)((((uint32_t)window->id + place) ^ sign) - sign);
    break;
  }
  return record;
}
