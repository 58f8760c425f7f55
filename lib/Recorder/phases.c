/* What the host did for the program, as a block of the record. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { max_phase_text = 64 };

static uint8_t *put_short(uint8_t *at, const char *text) {
  size_t size = text ? strlen(text) : 0;
  return warpo_put_text(at, text, size < max_phase_text ? size : max_phase_text);
}

static warpo_declaration *make_block(const warpo_phase *phases, size_t count) {
  size_t phase_size = 2 * (1 + max_phase_text) + 3 * 8;
  warpo_declaration *made =
      malloc(sizeof(*made) + warpo_block_header_size + 10 + count * phase_size);
  if (!made)
    return NULL;
  uint8_t *at = warpo_put_u(made->block + warpo_block_header_size, count);
  for (size_t i = 0; i < count; ++i) {
    at = put_short(at, phases[i].name);
    at = warpo_put_fixed(at, phases[i].begin, 8);
    at = warpo_put_fixed(at, phases[i].end, 8);
    at = put_short(at, phases[i].unit);
    at = warpo_put_fixed(at, phases[i].unit ? phases[i].ticks : 0, 8);
  }
  made->size = (size_t)(at - made->block);
  atomic_init(&made->following, NULL);
  warpo_frame_block(made->block, warpo_block_phases, 0, made->size - warpo_block_header_size);
  return made;
}

int warpo_recorder_add_phases(warpo_recorder *recorder, const warpo_phase *phases, size_t count) {
  enum { most = 1 << 16 };
  if (!recorder || count == 0 || recorder->options.format == WARPO_FORMAT_WARP)
    return 0;
  if (count > most)
    return EINVAL;
  warpo_declaration *made = make_block(phases, count);
  if (!made)
    return ENOMEM;
  pthread_mutex_lock(&recorder->lock);
  warpo_declare(recorder, made);
  pthread_mutex_unlock(&recorder->lock);
  return 0;
}
