/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the C library that the encoder needs, as instructions of WebAssembly. */
#ifndef WARPO_JS_STRING_H
#define WARPO_JS_STRING_H

#include <stddef.h>

static inline void *memcpy(void *to, const void *from, size_t size) {
  return __builtin_memcpy(to, from, size);
}
static inline void *memmove(void *to, const void *from, size_t size) {
  return __builtin_memmove(to, from, size);
}
static inline void *memset(void *to, int byte, size_t size) {
  return __builtin_memset(to, byte, size);
}
static inline int memcmp(const void *one, const void *other, size_t size) {
  const unsigned char *a = (const unsigned char *)one, *b = (const unsigned char *)other;
  for (; size > 0; --size, ++a, ++b)
    if (*a != *b)
      return *a < *b ? -1 : 1;
  return 0;
}
static inline size_t strlen(const char *text) {
  size_t size = 0;
  while (text[size])
    ++size;
  return size;
}

#endif
