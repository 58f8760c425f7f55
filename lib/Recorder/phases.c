/* SPDX-License-Identifier: Apache-2.0 */
/* The host's phases, as a block of the record. */
#include "files.h"

#include <errno.h>

enum { max_phase_text = 64 };

static warpo_text short_text(const char *string) {
  warpo_text text = warpo_text_from(string);
  if (text.size > max_phase_text)
    text.size = max_phase_text;
  return text;
}

static void put_phases(warpo_block *block, const warpo_phase *phases, size_t count) {
  warpo_begin_phases(block, count);
  for (const warpo_phase *phase = phases; phase != phases + count; ++phase) {
    const warpo_phase_fields fields = {
        .name = short_text(phase->name),
        .begin = phase->begin,
        .end = phase->end,
        .unit = short_text(phase->unit),
        .ticks = phase->unit ? phase->ticks : 0,
    };
    warpo_add_phase(block, &fields);
  }
}

static warpo_declaration *make_block(const warpo_phase *phases, size_t count) {
  warpo_block block = warpo_block_in(NULL, 0);
  put_phases(&block, phases, count);
  warpo_declaration *made = warpo_declaration_new(block.size);
  if (!made)
    return NULL;
  block = warpo_block_in(made->block, made->size);
  put_phases(&block, phases, count);
  warpo_finish_block(&block);
  return made;
}

int warpo_recorder_add_phases(warpo_recorder *recorder, const warpo_phase *phases, size_t count) {
  if (!recorder || count == 0)
    return 0;
  if (!recorder->format->has_names)
    return ENOTSUP;
  if (count > warpo_max_phases)
    return EINVAL;
  warpo_declaration *made = make_block(phases, count);
  if (!made)
    return ENOMEM;
  pthread_mutex_lock(&recorder->streams.lock);
  warpo_declare(recorder, made);
  pthread_mutex_unlock(&recorder->streams.lock);
  return 0;
}
