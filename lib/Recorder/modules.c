/* SPDX-License-Identifier: Apache-2.0 */
/* The record's declarations of modules. They are kept as blocks, because a forked child and a
 * ring's dump write them again. */
#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t no_module = UINT64_MAX;

warpo_declaration *warpo_declaration_new(size_t size) {
  warpo_declaration *made = malloc(sizeof(*made) + size);
  if (!made)
    return NULL;
  made->size = size;
  atomic_init(&made->following, NULL);
  return made;
}

/* The functions from `first` to before `last`. */
static void put_module(warpo_block *block, uint64_t number, const warpo_module_info *module,
                       size_t first, size_t last) {
  const warpo_module_fields fields = {
      .number = number,
      .id = module->id,
      .name = warpo_text_from(module->name),
      .hash = warpo_text_of((const char *)module->hash, module->hash ? warpo_hash_size : 0),
      .build = warpo_text_of((const char *)module->build_id, module->build_id_size),
  };
  warpo_begin_module(block, &fields, last - first);
  for (size_t i = first; i < last; ++i)
    warpo_add_function(block, module->functions[i].id, warpo_text_from(module->functions[i].name));
}

/* Returns 0 or an errno. */
static int make_block(warpo_declaration **made, uint64_t number, const warpo_module_info *module,
                      size_t first, size_t last) {
  warpo_block block = warpo_block_in(NULL, 0);
  put_module(&block, number, module, first, last);
  if (block.size - warpo_block_header_size > warpo_max_payload)
    return EINVAL;
  *made = warpo_declaration_new(block.size);
  if (!*made)
    return ENOMEM;
  block = warpo_block_in((*made)->block, (*made)->size);
  put_module(&block, number, module, first, last);
  warpo_finish_block(&block);
  return 0;
}

static uint64_t find(const warpo_recorder *recorder, uint64_t id) {
  for (size_t number = recorder->module_count; number-- > 0;)
    if (recorder->modules[number].id == id)
      return number;
  return UINT64_MAX;
}

const warpo_known_module *warpo_module_find(const warpo_recorder *recorder, uint64_t id) {
  uint64_t number = find(recorder, id);
  return number == UINT64_MAX ? NULL : &recorder->modules[number];
}

/* The module is known, with these functions among others. */
static void note_ids(warpo_recorder *recorder, const warpo_module_info *module) {
  uint64_t number = find(recorder, module->id);
  if (number == UINT64_MAX)
    return;
  warpo_known_module *known = &recorder->modules[number];
  for (size_t i = 0; i < module->function_count; ++i) {
    int32_t id = module->functions[i].id;
    if (known->first_id == 0 || id < known->first_id)
      known->first_id = id;
    if (id > known->last_id)
      known->last_id = id;
  }
}

/* Makes room for one more in the list. A forked child reads the list, so it changes only under
 * `state_lock`, which a fork waits for. */
static bool make_room(warpo_recorder *recorder) {
  pthread_mutex_lock(&recorder->streams.state_lock);
  warpo_known_module *modules =
      realloc(recorder->modules, (recorder->module_count + 1) * sizeof(*recorder->modules));
  if (modules)
    recorder->modules = modules;
  pthread_mutex_unlock(&recorder->streams.state_lock);
  return modules != NULL;
}

/* Keeps a block, and its module if that is new; `number` may be no_module. */
static void keep(warpo_recorder *recorder, warpo_declaration *made, uint64_t number, uint64_t id) {
  pthread_mutex_lock(&recorder->streams.state_lock);
  if (number == recorder->module_count)
    recorder->modules[recorder->module_count++] = (warpo_known_module){.id = id};
  if (recorder->last_declaration)
    recorder->last_declaration->following = made;
  else
    recorder->declarations = made;
  recorder->last_declaration = made;
  pthread_mutex_unlock(&recorder->streams.state_lock);
}

bool warpo_writes_now(const warpo_recorder *recorder) {
  bool is_written = recorder->options.policy != WARPO_POLICY_RING || recorder->live.header;
  return recorder->format->has_names && is_written && !recorder->finished &&
         !recorder->waits_for_event;
}

void warpo_declare(warpo_recorder *recorder, warpo_declaration *made) {
  keep(recorder, made, no_module, 0);
  if (!warpo_writes_now(recorder))
    return;
  if (warpo_file_fits(recorder, made->size))
    warpo_file_declare(recorder, made);
  else
    recorder->is_full = true;
}

/* Declares a module whose names do not fit in the file: better without names than no record. */
static int declare_nameless(warpo_recorder *recorder, uint64_t number,
                            const warpo_module_info *module) {
  warpo_declaration *made;
  int error = make_block(&made, number, module, 0, 0);
  if (error)
    return error;
  keep(recorder, made, number, module->id);
  if (warpo_file_fits(recorder, made->size))
    warpo_file_declare(recorder, made);
  else
    recorder->is_full = true;
  return 0;
}

/* Keeps and writes a block that the record can do without. */
static void declare_if_it_fits(warpo_recorder *recorder, warpo_declaration *made) {
  if (warpo_writes_now(recorder) && !warpo_file_fits(recorder, made->size)) {
    free(made);
    return;
  }
  keep(recorder, made, no_module, 0);
  if (warpo_writes_now(recorder))
    warpo_file_declare(recorder, made);
}

static int declare_places(warpo_recorder *recorder, uint64_t number,
                          const warpo_module_info *module) {
  if (!module->places_size || module->places_size > WARPO_MAX_PLACES)
    return 0;
  const warpo_text places = warpo_text_of(module->places, module->places_size);
  warpo_block block = warpo_block_in(NULL, 0);
  warpo_put_places(&block, number, places);
  warpo_declaration *made = warpo_declaration_new(block.size);
  if (!made)
    return ENOMEM;
  block = warpo_block_in(made->block, made->size);
  warpo_put_places(&block, number, places);
  warpo_finish_block(&block);
  declare_if_it_fits(recorder, made);
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
    for (; last < module->function_count && size < warpo_names_block_size; ++last)
      size += warpo_max_u_size + warpo_text_from(module->functions[last].name).size;
    warpo_declaration *made;
    int error = make_block(&made, number, module, first, last);
    if (error)
      return error;
    if (warpo_writes_now(recorder) && !warpo_file_fits(recorder, made->size)) {
      free(made);
      return is_new && first == 0 ? declare_nameless(recorder, number, module) : 0;
    }
    keep(recorder, made, number, module->id);
    if (warpo_writes_now(recorder))
      warpo_file_declare(recorder, made);
    first = last;
  } while (first < module->function_count);
  return declare_places(recorder, number, module);
}

static void put_name(warpo_block *block, uint64_t number, uint64_t module, int32_t id,
                     warpo_text name) {
  /* Name, hash and build id have been declared. */
  const warpo_module_fields fields = {.number = number, .id = module};
  warpo_begin_module(block, &fields, 1);
  warpo_add_function(block, id, name);
}

void warpo_module_add_name(warpo_recorder *recorder, uint64_t module, int32_t id, const char *name,
                           size_t size) {
  uint64_t number = warpo_module_number(recorder, module);
  if (number == UINT64_MAX)
    return;
  const warpo_text text = warpo_text_of(name, size);
  warpo_block block = warpo_block_in(NULL, 0);
  put_name(&block, number, module, id, text);
  warpo_declaration *made = warpo_declaration_new(block.size);
  if (!made)
    return;
  block = warpo_block_in(made->block, made->size);
  put_name(&block, number, module, id, text);
  warpo_finish_block(&block);
  declare_if_it_fits(recorder, made);
}

int warpo_recorder_add_module(warpo_recorder *recorder, const warpo_module_info *module) {
  if (!recorder)
    return 0;
  for (size_t i = 0; i < module->function_count; ++i)
    if (module->functions[i].id <= 0)
      return EINVAL;
  if (!recorder->format->has_names)
    return ENOTSUP;
  pthread_mutex_lock(&recorder->streams.lock);
  int error = declare_all(recorder, module);
  note_ids(recorder, module);
  pthread_mutex_unlock(&recorder->streams.lock);
  return error;
}

uint64_t warpo_module_number(warpo_recorder *recorder, uint64_t id) {
  uint64_t number = find(recorder, id);
  if (number != UINT64_MAX)
    return number;
  warpo_module_info unknown = {.id = id};
  return declare_all(recorder, &unknown) == 0 ? find(recorder, id) : UINT64_MAX;
}

static void put_linked(warpo_block *block, uint64_t number, const int32_t *ids, size_t count) {
  warpo_begin_linked(block, number);
  for (size_t i = 0; i < count; ++i)
    warpo_add_linked(block, ids[i]);
}

static int declare_linked(warpo_recorder *recorder, uint64_t module, const int32_t *ids,
                          size_t count) {
  uint64_t number = warpo_module_number(recorder, module);
  warpo_block block = warpo_block_in(NULL, 0);
  put_linked(&block, number, ids, count);
  warpo_declaration *made = number == UINT64_MAX ? NULL : warpo_declaration_new(block.size);
  if (!made)
    return ENOMEM;
  block = warpo_block_in(made->block, made->size);
  put_linked(&block, number, ids, count);
  warpo_finish_block(&block);
  declare_if_it_fits(recorder, made);
  return 0;
}

int warpo_recorder_link(warpo_recorder *recorder, uint64_t module, const int32_t *ids,
                        size_t count) {
  /* So many ids fit into one block. */
  enum { chunk = 1 << 16 };
  for (size_t i = 0; i < count; ++i)
    if ((uint32_t)ids[i] - warpo_first_id >= warpo_unknown_ids)
      return EINVAL;
  if (!recorder || count == 0)
    return 0;
  if (!recorder->format->has_names)
    return ENOTSUP;
  int error = 0;
  pthread_mutex_lock(&recorder->streams.lock);
  for (size_t i = 0; i < count && error == 0; i += chunk)
    error = declare_linked(recorder, module, ids + i, count - i < chunk ? count - i : chunk);
  pthread_mutex_unlock(&recorder->streams.lock);
  return error;
}

int warpo_recorder_expect_marks(warpo_recorder *recorder, uint64_t id) {
  if (!recorder)
    return 0;
  pthread_mutex_lock(&recorder->streams.lock);
  uint64_t number = warpo_module_number(recorder, id);
  if (number != UINT64_MAX)
    recorder->modules[number].has_marks = true;
  pthread_mutex_unlock(&recorder->streams.lock);
  return number == UINT64_MAX ? ENOMEM : 0;
}
