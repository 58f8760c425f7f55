/* SPDX-License-Identifier: Apache-2.0 */
/* A program of C for autofdo.py, whose loops decide by the data: packs the text of standard input
 * as often as its first line says (matches of the last 32 KiB by chains of a hash table, the
 * symbols by a code of Huffman's), unpacks the matches, and prints how many bits it took. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest = 258, shortest = 3, window = 1 << 15, hashes = 1 << 15, symbols = 512 };

typedef struct {
  uint16_t length; /* 0: `distance` is a letter */
  uint16_t distance;
} Token;

static unsigned char text[1 << 20], unpacked[1 << 20];
static Token tokens[1 << 20];
static int32_t newest[hashes], before[window];

static unsigned hashAt(size_t at) {
  return ((text[at] << 10) ^ (text[at + 1] << 5) ^ text[at + 2]) % hashes;
}

static unsigned matchLength(size_t old, size_t at, size_t size) {
  unsigned length = 0;
  while (length < longest && at + length < size && text[old + length] == text[at + length])
    ++length;
  return length;
}

static Token longestMatch(size_t at, size_t size) {
  Token best = {0, text[at]};
  int32_t old = newest[hashAt(at)];
  for (int tries = 32; tries && old >= 0 && at - (size_t)old < window; --tries) {
    unsigned length = matchLength((size_t)old, at, size);
    if (length >= shortest && length > best.length) {
      best.length = (uint16_t)length;
      best.distance = (uint16_t)(at - (size_t)old);
      if (length == longest)
        break;
    }
    int32_t next = before[old % window];
    if (next >= old)
      break;
    old = next;
  }
  return best;
}

static size_t pack(size_t size) {
  size_t count = 0;
  memset(newest, -1, sizeof newest);
  for (size_t at = 0; at < size;) {
    Token token = at + shortest <= size ? longestMatch(at, size) : (Token){0, text[at]};
    tokens[count++] = token;
    for (size_t end = at + (token.length ? token.length : 1); at < end; ++at)
      if (at + shortest <= size) {
        unsigned hash = hashAt(at);
        before[at % window] = newest[hash];
        newest[hash] = (int32_t)at;
      }
  }
  return count;
}

static void unpack(size_t count) {
  unsigned char *to = unpacked;
  for (size_t i = 0; i < count; ++i)
    if (!tokens[i].length)
      *to++ = (unsigned char)tokens[i].distance;
    else
      for (unsigned left = tokens[i].length; left; --left, ++to)
        *to = to[-(int)tokens[i].distance];
}

/* By Huffman: the two rarest become one until one is left, each time one bit more for all in them.
 */
static uint64_t bitsOf(size_t count) {
  uint64_t weights[symbols] = {0}, bits = 0;
  for (size_t i = 0; i < count; ++i) {
    ++weights[tokens[i].length ? 256 + tokens[i].length % 256 : tokens[i].distance];
    for (unsigned distance = tokens[i].length ? tokens[i].distance : 1; distance > 1; distance /= 2)
      ++bits;
  }
  for (;;) {
    int rarest = -1, next = -1;
    for (int i = 0; i < symbols; ++i) {
      if (!weights[i])
        continue;
      if (rarest < 0 || weights[i] < weights[rarest]) {
        next = rarest;
        rarest = i;
      } else if (next < 0 || weights[i] < weights[next]) {
        next = i;
      }
    }
    if (next < 0)
      return bits;
    bits += weights[rarest] += weights[next];
    weights[next] = 0;
  }
}

int main(void) {
  int rounds;
  if (scanf("%d", &rounds) != 1)
    return 1;
  size_t size = fread(text, 1, sizeof text, stdin);
  uint64_t bits = 0;
  for (int i = 0; i < rounds; ++i) {
    size_t count = pack(size);
    unpack(count);
    if (memcmp(text, unpacked, size) != 0)
      return 1;
    bits += bitsOf(count);
  }
  printf("%zu bytes, %.0f bits\n", size, (double)bits / rounds);
  return 0;
}
