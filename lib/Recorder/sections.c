/* SPDX-License-Identifier: Apache-2.0 */
/* Sections: their names are known only at run time. Each name gets an id, declared as a function of
 * its module before the first event that uses it. */
#include "files.h"

#include <stdlib.h>
#include <string.h>

enum {
  last_id = WARPO_RECORDING_ID - 1,
  replacement_size = 3,
  most_text = WARPO_MAX_SECTION_NAME * replacement_size,
};

typedef struct warpo_section_name {
  uint64_t module;
  size_t size;
  char *text;
} warpo_section_name;

/* ---- Stored names ---- */

typedef struct name_text {
  size_t size;
  char bytes[most_text];
} name_text;

static bool is_continuation(uint8_t byte) { return (byte & 0xc0) == 0x80; }

/* How many bytes follow the first byte of a UTF-8 character, and the range of the second; -1 for a
 * byte that begins none. */
static int following_of(uint8_t first, uint8_t *low, uint8_t *high) {
  *low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  *high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (first < 0x80)
    return 0;
  if (first < 0xc2 || first > 0xf4)
    return -1;
  return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

/* The size of the first character. If it is invalid (`*valid` is false), the size of the part that
 * one U+FFFD replaces: as much as could begin a character, at least one byte. */
static size_t next_character(const uint8_t *text, size_t size, bool *valid) {
  uint8_t low, high;
  int following = following_of(text[0], &low, &high);
  *valid = following >= 0;
  size_t length = 1;
  for (; following > 0; --following, ++length, low = 0x80, high = 0xbf)
    if (length == size || text[length] < low || text[length] > high) {
      *valid = false;
      break;
    }
  return length;
}

/* Returns whether the name was valid UTF-8. */
static bool put_valid(name_text *to, const char *name, size_t size) {
  bool all_valid = true;
  to->size = 0;
  for (size_t at = 0; at < size;) {
    bool valid;
    size_t length = next_character((const uint8_t *)name + at, size - at, &valid);
    memcpy(to->bytes + to->size, valid ? name + at : "\xef\xbf\xbd",
           valid ? length : replacement_size);
    to->size += valid ? length : replacement_size;
    all_valid &= valid;
    at += length;
  }
  return all_valid;
}

static void put_own(name_text *to, const char *text) {
  to->size = strlen(text);
  memcpy(to->bytes, text, to->size);
}

/* Cuts the name at a character boundary. */
static size_t cut(const char *name) {
  size_t size = WARPO_MAX_SECTION_NAME;
  for (int back = 0; back < 3 && is_continuation((uint8_t)name[size]); ++back)
    --size;
  return size;
}

static void take_name(warpo_section_counts *counts, name_text *to, const char *name,
                      size_t length) {
  if (!name) {
    ++counts->out_of_bounds;
    return put_own(to, "(name out of bounds)");
  }
  if (length > WARPO_MAX_SECTION_NAME) {
    ++counts->too_long;
    length = cut(name);
  }
  if (!put_valid(to, name, length))
    ++counts->not_utf8;
  if (length == 0)
    put_own(to, "(unnamed section)");
}

/* ---- The table of names (changes only under `state_lock`) ---- */

static uint64_t hash_of(uint64_t module, const char *text, size_t size) {
  uint64_t hash = module * 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3u;
  return hash ^ hash >> 32;
}

/* The slot of a name, or the free one for it. The table must not be full. */
static uint32_t *find_slot(warpo_section_table *table, uint64_t module, const char *text,
                           size_t size) {
  uint64_t slot = hash_of(module, text, size);
  for (;; ++slot) {
    uint32_t *place = &table->slots[slot & (table->slot_count - 1)];
    if (*place == 0)
      return place;
    const warpo_section_name *known = &table->names[*place - 1];
    if (known->module == module && known->size == size && memcmp(known->text, text, size) == 0)
      return place;
  }
}

static bool grow(warpo_section_table *table) {
  if (2 * (table->count + 1) <= table->slot_count)
    return true;
  size_t count = table->slot_count ? 2 * table->slot_count : 64;
  warpo_section_name *names = realloc(table->names, count / 2 * sizeof(*names));
  if (names)
    table->names = names;
  uint32_t *slots = calloc(count, sizeof(*slots));
  if (!names || !slots) {
    free(slots);
    return false;
  }
  free(table->slots);
  table->slots = slots;
  table->slot_count = count;
  for (size_t i = 0; i < table->count; ++i)
    *find_slot(table, names[i].module, names[i].text, names[i].size) = (uint32_t)(i + 1);
  return true;
}

static int32_t id_of(warpo_section_table *table, uint64_t module, const name_text *name) {
  uint32_t known = table->slot_count ? *find_slot(table, module, name->bytes, name->size) : 0;
  return known ? (int32_t)(WARPO_FIRST_SECTION_ID + known - 1) : 0;
}

/* Returns the id; 0 without memory. */
static int32_t insert(warpo_section_table *table, uint64_t module, const name_text *name) {
  char *text = malloc(name->size);
  if (!text || table->count > last_id - WARPO_FIRST_SECTION_ID || !grow(table)) {
    free(text);
    return 0;
  }
  memcpy(text, name->bytes, name->size);
  table->names[table->count] = (warpo_section_name){module, name->size, text};
  *find_slot(table, module, text, name->size) = (uint32_t)++table->count;
  return (int32_t)(WARPO_FIRST_SECTION_ID + table->count - 1);
}

void warpo_sections_free(warpo_section_table *table) {
  for (size_t i = 0; i < table->count; ++i)
    free(table->names[i].text);
  free(table->names);
  free(table->slots);
}

/* ---- Sections ---- */

/* The caller holds `lock`. */
static int32_t add_name(warpo_recorder *recorder, uint64_t module, const name_text *name) {
  warpo_section_table *table = &recorder->sections;
  pthread_mutex_lock(&recorder->streams.state_lock);
  int32_t id = id_of(table, module, name); /* another thread's, since it was looked for */
  bool is_known = id != 0;
  if (!is_known)
    id = insert(table, module, name);
  pthread_mutex_unlock(&recorder->streams.state_lock);
  if (id != 0 && !is_known)
    warpo_module_add_name(recorder, module, id, name->bytes, name->size);
  return id;
}

int32_t warpo_section_id(warpo_recorder *recorder, uint64_t module, const char *name,
                         size_t length) {
  if (!recorder || !recorder->format->has_names)
    return 0;
  name_text text;
  pthread_mutex_lock(&recorder->streams.state_lock);
  take_name(&recorder->section_counts, &text, name, length);
  int32_t id = id_of(&recorder->sections, module, &text);
  if (id == 0 && recorder->sections.count >= WARPO_MAX_SECTION_NAMES) {
    ++recorder->section_counts.too_many;
    put_own(&text, "(further sections)");
    id = id_of(&recorder->sections, module, &text);
  }
  pthread_mutex_unlock(&recorder->streams.state_lock);
  if (id != 0)
    return id;
  pthread_mutex_lock(&recorder->streams.lock);
  id = add_name(recorder, module, &text);
  pthread_mutex_unlock(&recorder->streams.lock);
  return id;
}

static void store(warpo_event_stream *stream, int32_t id, uint64_t fuel) {
  const warpo_stream_full *full = warpo_full(stream);
  if (full->form == warpo_entry_fuel_event)
    warpo_trace_event_fuel(stream, id, fuel);
  else if (full->recorder->options.clock == WARPO_CLOCK_FUEL)
    warpo_trace_event_at(stream, fuel, id);
  else
    warpo_trace_event(stream, id);
}

int32_t warpo_section_begin(warpo_event_stream *stream, const char *name, size_t length,
                            uint64_t fuel) {
  if (!stream)
    return 0;
  const warpo_stream_full *full = warpo_full(stream);
  int32_t id = warpo_section_id(full->recorder, full->module, name, length);
  if (id != 0)
    store(stream, id, fuel);
  return id;
}

void warpo_section_end(warpo_event_stream *stream, uint64_t fuel) {
  if (stream && warpo_full(stream)->recorder->format->has_names)
    store(stream, warpo_section_end_id, fuel);
}

int32_t warpo_name_pause(warpo_stream_full *stream) {
  static const char name[] = "(recording off)";
  return warpo_section_id(stream->recorder, stream->module, name, sizeof(name) - 1);
}

void warpo_sections_count(warpo_stream_full *stream) {
  warpo_recorder *recorder = stream->recorder;
  warpo_event_encoder *encoder = &stream->encoder;
  /* A pause that lasts to the end is not a mistake of the program. */
  int32_t pause = stream->pause.is_on ? stream->pause.section : 0;
  for (uint32_t i = 0; i < encoder->depth; ++i)
    encoder->unended_sections += warpo_is_section(encoder->calls[i]) && encoder->calls[i] != pause;
  recorder->section_counts.ends_without_begin += encoder->unmatched_section_ends;
  recorder->section_counts.never_ended += encoder->unended_sections;
  encoder->unmatched_section_ends = encoder->unended_sections = 0;
}

warpo_section_counts warpo_recorder_get_section_counts(warpo_recorder *recorder) {
  warpo_section_counts counts = {0, 0, 0, 0, 0, 0};
  if (!recorder)
    return counts;
  pthread_mutex_lock(&recorder->streams.lock);
  pthread_mutex_lock(&recorder->streams.state_lock);
  counts = recorder->section_counts;
  pthread_mutex_unlock(&recorder->streams.state_lock);
  pthread_mutex_unlock(&recorder->streams.lock);
  return counts;
}
