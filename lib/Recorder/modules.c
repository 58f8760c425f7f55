/* What the record says of the modules: kept as the blocks that the file gets, since a child of a
 * fork and a dump of a ring need them again. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { names_in_block = 1 << 20 };
static const uint64_t no_module = UINT64_MAX;

static size_t text_bound(const char *text) { return 10 + (text ? strlen(text) : 0); }

static uint8_t *put_string(uint8_t *at, const char *text) {
  return warpo_put_text(at, text, text ? strlen(text) : 0);
}

/* One block with the functions from `first` up to `last`. */
static warpo_declaration *make_block(uint64_t number, const warpo_module_info *module, size_t first,
                                     size_t last) {
  size_t bound = warpo_block_header_size + 20 + text_bound(module->name) + 10 + 32 + 10 +
                 module->build_id_size + 10;
  for (size_t i = first; i < last; ++i)
    bound += 5 + text_bound(module->functions[i].name);
  warpo_declaration *made = malloc(sizeof(*made) + bound);
  if (!made)
    return NULL;
  uint8_t *at = made->block + warpo_block_header_size;
  at = warpo_put_u(at, number);
  at = warpo_put_u(at, module->id);
  at = put_string(at, module->name);
  at = warpo_put_text(at, (const char *)module->hash, module->hash ? 32 : 0);
  at = warpo_put_text(at, (const char *)module->build_id, module->build_id_size);
  at = warpo_put_u(at, last - first);
  for (size_t i = first; i < last; ++i) {
    at = warpo_put_u(at, (uint32_t)module->functions[i].id);
    at = put_string(at, module->functions[i].name);
  }
  made->size = (size_t)(at - made->block);
  atomic_init(&made->following, NULL);
  warpo_frame_block(made->block, warpo_block_module, 0, made->size - warpo_block_header_size);
  return made;
}

static uint64_t find(const warpo_recorder *recorder, uint64_t id) {
  for (size_t number = recorder->module_count; number-- > 0;)
    if (recorder->modules[number] == id)
      return number;
  return UINT64_MAX;
}

/* Makes room for one more in the list, which a child of a fork reads: so it changes under
 * `state_lock` only, which a fork waits for. */
static bool make_room(warpo_recorder *recorder) {
  pthread_mutex_lock(&recorder->state_lock);
  uint64_t *modules =
      realloc(recorder->modules, (recorder->module_count + 1) * sizeof(*recorder->modules));
  if (modules)
    recorder->modules = modules;
  pthread_mutex_unlock(&recorder->state_lock);
  return modules != NULL;
}

/* Keeps a block, together with its module if that is new; `number` may be no_module. */
static void keep(warpo_recorder *recorder, warpo_declaration *made, uint64_t number, uint64_t id) {
  pthread_mutex_lock(&recorder->state_lock);
  if (number == recorder->module_count)
    recorder->modules[recorder->module_count++] = id;
  if (recorder->last_declaration)
    recorder->last_declaration->following = made;
  else
    recorder->declarations = made;
  recorder->last_declaration = made;
  pthread_mutex_unlock(&recorder->state_lock);
}

/* Whether declarations are written now, and not left to a dump or to a child's first event. */
static bool writes_now(const warpo_recorder *recorder) {
  bool is_written = recorder->options.policy != WARPO_POLICY_RING || recorder->live.header;
  return is_written && !recorder->has_dump && !recorder->finished && !recorder->waits_for_event;
}

void warpo_declare(warpo_recorder *recorder, warpo_declaration *made) {
  keep(recorder, made, no_module, 0);
  if (!writes_now(recorder))
    return;
  if (warpo_file_fits(recorder, made->size))
    warpo_file_declare(recorder, made);
  else
    recorder->is_full = true;
}

/* A module for whose names the file has no room. Better without names than without a record. */
static int declare_nameless(warpo_recorder *recorder, uint64_t number,
                            const warpo_module_info *module) {
  warpo_declaration *made = make_block(number, module, 0, 0);
  if (!made)
    return ENOMEM;
  keep(recorder, made, number, module->id);
  if (warpo_file_fits(recorder, made->size))
    warpo_file_declare(recorder, made);
  else
    recorder->is_full = true;
  return 0;
}

static int declare_all(warpo_recorder *recorder, const warpo_module_info *module) {
  uint64_t number = find(recorder, module->id);
  bool is_new = number == UINT64_MAX;
  if (is_new && !make_room(recorder))
    return ENOMEM;
  if (is_new)
    number = recorder->module_count;
  size_t first = 0;
  do {
    size_t last = first, size = 0;
    for (; last < module->function_count && size < names_in_block; ++last)
      size += text_bound(module->functions[last].name);
    warpo_declaration *made = make_block(number, module, first, last);
    if (!made)
      return ENOMEM;
    if (made->size - warpo_block_header_size > warpo_max_payload) {
      free(made);
      return EINVAL;
    }
    if (writes_now(recorder) && !warpo_file_fits(recorder, made->size)) {
      free(made);
      return is_new && first == 0 ? declare_nameless(recorder, number, module) : 0;
    }
    keep(recorder, made, number, module->id);
    if (writes_now(recorder))
      warpo_file_declare(recorder, made);
    first = last;
  } while (first < module->function_count);
  return 0;
}

void warpo_module_add_name(warpo_recorder *recorder, uint64_t module, int32_t id, const char *name,
                           size_t size) {
  uint64_t number = warpo_module_number(recorder, module);
  warpo_declaration *made = malloc(sizeof(*made) + warpo_block_header_size + 40 + size);
  if (number == UINT64_MAX || !made) {
    free(made);
    return;
  }
  uint8_t *at = warpo_put_u(made->block + warpo_block_header_size, number);
  at = warpo_put_u(at, module);
  for (int known = 0; known < 3; ++known) /* name, hash and build id have been said */
    at = warpo_put_u(at, 0);
  at = warpo_put_u(at, 1);
  at = warpo_put_u(at, (uint32_t)id);
  at = warpo_put_text(at, name, size);
  made->size = (size_t)(at - made->block);
  atomic_init(&made->following, NULL);
  warpo_frame_block(made->block, warpo_block_module, 0, made->size - warpo_block_header_size);
  if (writes_now(recorder) && !warpo_file_fits(recorder, made->size)) {
    free(made);
    return;
  }
  keep(recorder, made, no_module, 0);
  if (writes_now(recorder))
    warpo_file_declare(recorder, made);
}

int warpo_recorder_add_module(warpo_recorder *recorder, const warpo_module_info *module) {
  if (!recorder)
    return 0;
  for (size_t i = 0; i < module->function_count; ++i)
    if (module->functions[i].id <= 0)
      return EINVAL;
  if (recorder->options.format == WARPO_FORMAT_WARP)
    return 0;
  pthread_mutex_lock(&recorder->lock);
  int error = declare_all(recorder, module);
  pthread_mutex_unlock(&recorder->lock);
  return error;
}

uint64_t warpo_module_number(warpo_recorder *recorder, uint64_t id) {
  uint64_t number = find(recorder, id);
  if (number != UINT64_MAX)
    return number;
  warpo_module_info unknown = {.id = id};
  return declare_all(recorder, &unknown) == 0 ? find(recorder, id) : UINT64_MAX;
}
