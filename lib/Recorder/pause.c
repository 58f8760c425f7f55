/* SPDX-License-Identifier: Apache-2.0 */
#include "pause.h"
#include "warpo/Recorder/event_packing.h"
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Recorder/section.h"

#include <stdlib.h>

static bool push(warpo_pause *pause, warpo_passed passed) {
  if (pause->count == warpo_max_known_calls)
    return false;
  if (pause->count == pause->capacity) {
    size_t capacity = pause->capacity ? 2 * pause->capacity : 64;
    warpo_passed *more = realloc(pause->passed, capacity * sizeof(*more));
    if (!more)
      return false;
    pause->passed = more;
    pause->capacity = capacity;
  }
  pause->passed[pause->count++] = passed;
  return true;
}

/* Finds the call that an end ends among those begun in the pause; `pause->count` if there is none.
 * After two traps it is the outermost call of its function. */
static size_t find_open(const warpo_pause *pause, int32_t id) {
  if (pause->traps > 1)
    for (size_t i = pause->open; i < pause->count; ++i)
      if (pause->passed[i].id == id)
        return i;
  for (size_t i = pause->count; i > pause->open; --i)
    if (pause->passed[i - 1].id == id)
      return i - 1;
  return pause->count;
}

/* Handles the end of a call that did not begin in the pause. If it was open before the pause, all
 * calls begun since end with it; otherwise it ends none. The record's stack decides which. Only
 * open calls end by traps. */
static bool end_earlier(warpo_pause *pause, warpo_passed end) {
  if (pause->traps > 0)
    pause->count = pause->open;
  size_t before = pause->count;
  bool has_room = true;
  for (; has_room && pause->traps > 0; --pause->traps)
    has_room = push(pause, (warpo_passed){end.time, end.fuel, WARPO_TRAP_ID});
  has_room = has_room && push(pause, end);
  if (has_room)
    pause->open = pause->count;
  else
    pause->count = before;
  return has_room;
}

bool warpo_pause_follow(warpo_pause *pause, warpo_passed passed) {
  int32_t id = passed.id;
  pause->last = passed;
  if (id == 0 || id == INT32_MIN)
    return true;
  if (id == WARPO_TRAP_ID) {
    ++pause->traps;
    return true;
  }
  if (id > 0) {
    pause->traps = 0;
    return push(pause, passed);
  }
  if (id == warpo_section_end_id) {
    if (pause->count == pause->open)
      return end_earlier(pause, passed);
    /* An end of another function than the innermost ends nothing. */
    if (warpo_is_section(pause->passed[pause->count - 1].id))
      --pause->count;
    return true;
  }
  size_t place = find_open(pause, -id);
  if (place == pause->count)
    return end_earlier(pause, passed);
  pause->count = place;
  pause->traps = 0;
  return true;
}

void warpo_pause_forget(warpo_pause *pause) {
  pause->is_on = false;
  pause->traps = 0;
  pause->open = pause->count = 0;
  warpo_pause_leave(pause);
}

void warpo_pause_free(warpo_pause *pause) { free(pause->passed); }
