/* SPDX-License-Identifier: Apache-2.0 */
/* Valid names of measures and their clocks. The recorder refuses other names; readers ignore clocks
 * that have them. */
#ifndef WARPO_RECORDER_MEASURE_NAMES_H
#define WARPO_RECORDER_MEASURE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the bytes are one or more letters, digits, '-' and '_'. */
static inline bool warpo_is_word(const char *text, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    char c = text[i];
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && !(c >= '0' && c <= '9') && c != '-' && c != '_')
      return false;
  }
  return size > 0;
}

/* Whether this is a valid name for a measure: a word that profiles, tables and JSON do not use
 * otherwise. */
static inline bool warpo_is_measure_name(const char *name, size_t size) {
  static const char *const taken[] = {"time",      "calls",    "samples", "probe",
                                      "suspended", "module",   "stream",  "event",
                                      "id",        "function", "count",   "lost"};
  for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); ++i)
    if (strlen(taken[i]) == size && memcmp(taken[i], name, size) == 0)
      return false;
  return warpo_is_word(name, size);
}

/* Whether this is a valid name for a measure's clock: the measure's, optionally followed by ':' and
 * a unit. */
static inline bool warpo_is_clock_name(const char *name, size_t size) {
  const char *colon = (const char *)memchr(name, ':', size);
  size_t word = colon ? (size_t)(colon - name) : size;
  return warpo_is_measure_name(name, word) && (!colon || warpo_is_word(colon + 1, size - word - 1));
}

#ifdef __cplusplus
}
#endif

#endif
