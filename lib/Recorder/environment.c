/* SPDX-License-Identifier: Apache-2.0 */
/* Environment variables that configure recording. */
#include "process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The variable's value; NULL if it is unset or empty. */
static const char *value_of(const char *variable) {
  const char *value = getenv(variable);
  return value && *value ? value : NULL;
}

/* Accepts digits only: strtoull alone would accept "-1" and " 7". */
static bool parse_number(const char *text, uint64_t *number) {
  for (const char *digit = text; *digit; ++digit)
    if (*digit < '0' || *digit > '9')
      return false;
  errno = 0;
  *number = strtoull(text, NULL, 10);
  return errno == 0;
}

/* The index of a word in a NULL-terminated list; -1 if it is not there. */
static int find_word(const char *const *words, const char *word) {
  for (int i = 0; words[i]; ++i)
    if (strcmp(words[i], word) == 0)
      return i;
  return -1;
}

bool warpo_environment_file(warpo_recorder_options *options) {
  const char *file = value_of("WARPO_RECORDER_FILE");
  options->format = file ? WARPO_FORMAT_WARPO : WARPO_FORMAT_WARP;
  options->file = file ? file : value_of("WARP_TRACING_RECORDER_FILE");
  return options->file;
}

const char *warpo_environment_limit(warpo_recorder_options *options) {
  const char *limit = value_of("WARPO_RECORDER_MAX_ITEMS");
  if (limit)
    return parse_number(limit, &options->max_items)
               ? NULL
               : "WARPO_RECORDER_MAX_ITEMS is not a number of events";
  limit = value_of("WARP_TRACING_RECORDER_MAX_ITEMS");
  if (limit && !parse_number(limit, &options->max_items))
    return "WARP_TRACING_RECORDER_MAX_ITEMS is not a number of records";
  return NULL;
}

const char *warpo_recorder_read_environment(warpo_recorder_options *options) {
  static const char *const formats[] = {"warp", "warpo", NULL};
  static const char *const policies[] = {"block", "drop", "ring", NULL};
  static const char *const clocks[] = {"counter", "monotonic", NULL};
  const char *format = value_of("WARPO_RECORDER_FORMAT");
  const char *policy = value_of("WARPO_RECORDER_POLICY");
  const char *clock = value_of("WARPO_RECORDER_CLOCK");
  const char *buffer = value_of("WARPO_RECORDER_BUFFER");
  const char *limit = value_of("WARPO_RECORDER_MAX_BYTES");
  const char *safe = value_of("WARPO_RECORDER_CRASH_SAFE");
  const char *enabled = value_of("WARPO_RECORDER_ENABLED");
  int found;
  if (format) {
    if ((found = find_word(formats, format)) < 0)
      return "WARPO_RECORDER_FORMAT is neither warp nor warpo";
    options->format = (warpo_recorder_format)found;
  }
  if (policy) {
    if ((found = find_word(policies, policy)) < 0)
      return "WARPO_RECORDER_POLICY is neither block, drop nor ring";
    options->policy = (warpo_recorder_policy)found;
  }
  if (clock) {
    if ((found = find_word(clocks, clock)) < 0)
      return "WARPO_RECORDER_CLOCK is neither counter nor monotonic";
    options->clock = (warpo_recorder_clock)found;
  }
  if (safe) {
    if (strcmp(safe, "0") != 0 && strcmp(safe, "1") != 0)
      return "WARPO_RECORDER_CRASH_SAFE is neither 0 nor 1";
    options->crash_safe = *safe == '1';
  }
  if (enabled) {
    if (strcmp(enabled, "0") != 0 && strcmp(enabled, "1") != 0)
      return "WARPO_RECORDER_ENABLED is neither 0 nor 1";
    options->starts_off = *enabled == '0';
  }
  if (limit && !parse_number(limit, &options->max_bytes))
    return "WARPO_RECORDER_MAX_BYTES is not a number of bytes";
  if (buffer) {
    uint64_t bytes;
    if (!parse_number(buffer, &bytes) || bytes == 0 || bytes > SIZE_MAX / 4)
      return "WARPO_RECORDER_BUFFER is not a number of bytes";
    options->buffer_bytes = (size_t)bytes;
    options->stream_records = (size_t)bytes / sizeof(warpo_record);
  }
  return NULL;
}
