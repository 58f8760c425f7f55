/* SPDX-License-Identifier: Apache-2.0 */
/* The module's section `warpo.artifacts` lists its counters and the bytes that precede them in the
 * file: docs/instrumented-module.md. */
#include "warpo/Recorder/count_file.h"

#include <string.h>

/* The rest of some bytes. Reading beyond them leaves it empty. */
typedef struct part {
  const uint8_t *next;
  size_t size;
  int failed;
} part;

static part take(part *from, uint64_t size) {
  part taken = {from->next, (size_t)size, 0};
  if (size > from->size || from->failed) {
    from->failed = 1;
    from->size = 0;
    return (part){from->next, 0, 1};
  }
  from->next += size;
  from->size -= (size_t)size;
  return taken;
}

static uint8_t take_byte(part *from) {
  part byte = take(from, 1);
  return byte.size ? *byte.next : 0;
}

static uint64_t take_number(part *from) {
  uint64_t number = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t byte = take_byte(from);
    number |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return number;
  }
  from->failed = 1;
  return 0;
}

static part take_bytes(part *from) { return take(from, take_number(from)); }

static int is(part bytes, const char *text) {
  return bytes.size == strlen(text) && memcmp(bytes.next, text, bytes.size) == 0;
}

/* Finds the contents of the custom section with this name. */
static int find_section(part module, const char *name, part *found) {
  take(&module, 8); /* magic and version */
  while (!module.failed && module.size) {
    uint8_t id = take_byte(&module);
    part contents = take_bytes(&module);
    if (id == 0 && !module.failed && is(take_bytes(&contents), name)) {
      *found = contents;
      return 1;
    }
  }
  return 0;
}

/* How many 64-bit numbers an artifact's access refers to; 0 if none. */
static uint64_t take_count(part *artifacts) {
  enum { memory, function, globals, i64 = 0x7e };
  uint8_t access = take_byte(artifacts);
  if (access == memory) {
    take_bytes(artifacts);
    take_number(artifacts);
    return take_number(artifacts) / 8;
  }
  if (access == function)
    take_bytes(artifacts);
  uint8_t type = take_byte(artifacts);
  uint64_t count = take_number(artifacts);
  for (uint64_t i = 0; access == globals && i < count && !artifacts->failed; ++i)
    take_bytes(artifacts);
  artifacts->failed |= access > globals;
  return type == i64 ? count : 0;
}

/* Finds the head of the file and the number of counters. */
static int find_counts(part artifacts, part *head, uint64_t *count) {
  if (take_byte(&artifacts) != 1)
    return 0;
  for (uint64_t number = take_number(&artifacts); number && !artifacts.failed; --number) {
    part format = take_bytes(&artifacts);
    take_bytes(&artifacts); /* extension */
    take_bytes(&artifacts); /* description */
    *head = take_bytes(&artifacts);
    *count = take_count(&artifacts);
    if (!artifacts.failed && is(format, "counts"))
      return *count <= UINT32_MAX;
  }
  return 0;
}

const char *warpo_counts_write(FILE *file, const void *module, size_t size,
                               warpo_counter_reader *counter, void *instance, int within_calls) {
  static const uint8_t unknown_calls[] = {'W', 'A', 'R', 'P', 'O', 'L', 'F', 'T', 1, 1, 0, 0};
  part artifacts, head;
  uint64_t count;
  if (!find_section((part){module, size, 0}, "warpo.artifacts", &artifacts) ||
      !find_counts(artifacts, &head, &count))
    return "the module was not instrumented with counts";
  fwrite(head.next, 1, head.size, file);
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t number = counter(instance, i);
    uint8_t bytes[8];
    for (unsigned byte = 0; byte < sizeof bytes; ++byte)
      bytes[byte] = (uint8_t)(number >> 8 * byte);
    fwrite(bytes, 1, sizeof bytes, file);
  }
  if (within_calls)
    fwrite(unknown_calls, 1, sizeof unknown_calls, file);
  return fflush(file) || ferror(file) ? "the counts cannot be written" : NULL;
}
