/* SPDX-License-Identifier: Apache-2.0 */
/* The encoder's allocator: pieces whose sizes are powers of two, reused for the same size.
 * JavaScript also grows the memory, so pages that are added here need not be contiguous. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { page_size = 1 << 16, sizes = 32 };

/* Precedes each piece; has the size of the largest alignment. */
typedef union head {
  struct {
    uint32_t size_log;
    union head *next; /* of those that are free */
  } piece;
  char room[16];
} head;

__attribute__((import_module("recorder"), import_name("grown"))) void memory_has_grown(void);

static head *unused[sizes];
static char *next, *end;

static head *new_piece(size_t size) {
  if ((size_t)(end - next) < size) {
    size_t pages = (size + page_size - 1) / page_size;
    size_t before = __builtin_wasm_memory_grow(0, pages);
    if (before == SIZE_MAX)
      return NULL;
    memory_has_grown();
    next = (char *)(before * page_size);
    end = next + pages * page_size;
  }
  head *made = (head *)next;
  next += size;
  return made;
}

void *malloc(size_t size) {
  if (size > (size_t)1 << 30)
    return NULL;
  uint32_t size_log = 5;
  while ((size_t)1 << size_log < size + sizeof(head))
    ++size_log;
  head *piece = unused[size_log];
  if (piece)
    unused[size_log] = piece->piece.next;
  else if (!(piece = new_piece((size_t)1 << size_log)))
    return NULL;
  piece->piece.size_log = size_log;
  return piece + 1;
}

void free(void *memory) {
  if (!memory)
    return;
  head *piece = (head *)memory - 1;
  piece->piece.next = unused[piece->piece.size_log];
  unused[piece->piece.size_log] = piece;
}

void *realloc(void *memory, size_t size) {
  if (!memory)
    return malloc(size);
  size_t known = ((size_t)1 << ((head *)memory - 1)->piece.size_log) - sizeof(head);
  if (size <= known)
    return memory;
  void *larger = malloc(size);
  if (!larger)
    return NULL;
  memcpy(larger, memory, known);
  free(memory);
  return larger;
}
