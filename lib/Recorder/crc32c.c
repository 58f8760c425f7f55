/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C, by the processor's instruction where it has one, else by tables (Kounavis and Berry,
 * "Novel table lookup-based algorithms for high-performance CRC generation", 2008). */
#include "warpo/Recorder/record_encoding.h"

#include <string.h>

/* Each of them moves a byte by as many bytes as stand behind it. Half of what is read at once does
 * not depend on what came before, so that the processor need not wait for it. */
enum { bytes_at_once = 16 };
static uint32_t tables[bytes_at_once][256];

static void make_tables(void) {
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    tables[0][byte] = crc;
  }
  for (int table = 1; table < bytes_at_once; ++table)
    for (uint32_t byte = 0; byte < 256; ++byte) {
      uint32_t before = tables[table - 1][byte];
      tables[table][byte] = before >> 8 ^ tables[0][before & 0xff];
    }
}

#if defined(__wasm__)
/* Needs no lock: threads that share a memory would all write the same values. */
static void need_tables(void) {
  static bool made;
  if (!made)
    make_tables();
  made = true;
}
#else
#include <pthread.h>
static void need_tables(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_tables);
}
#endif

static uint64_t load64(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof(value));
  return value;
}

static uint32_t crc_by_tables(uint32_t crc, const uint8_t *at, size_t size) {
  need_tables();
  for (; size >= bytes_at_once; size -= bytes_at_once, at += bytes_at_once) {
    uint64_t first = load64(at) ^ crc, second = load64(at + 8);
    crc = 0;
    for (int byte = 0; byte < 8; ++byte)
      crc ^= tables[15 - byte][first >> (8 * byte) & 0xff] ^
             tables[7 - byte][second >> (8 * byte) & 0xff];
  }
  for (; size > 0; --size, ++at)
    crc = crc >> 8 ^ tables[0][(crc ^ *at) & 0xff];
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t
crc_by_instruction(uint32_t crc, const uint8_t *at, size_t size) {
  uint64_t wide = crc;
  for (; size >= 8; size -= 8, at += 8)
    wide = __builtin_ia32_crc32di(wide, load64(at));
  crc = (uint32_t)wide;
  for (; size > 0; --size, ++at)
    crc = __builtin_ia32_crc32qi(crc, *at);
  return crc;
}
#endif

uint32_t warpo_crc32c(uint32_t crc, const void *bytes, size_t size) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2"))
    return ~crc_by_instruction(~crc, bytes, size);
#endif
  return ~crc_by_tables(~crc, bytes, size);
}
