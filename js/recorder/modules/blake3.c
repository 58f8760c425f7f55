/* SPDX-License-Identifier: Apache-2.0 */
/* BLAKE3 without a key, 32 bytes long: https://github.com/BLAKE3-team/BLAKE3-specs. A module by
 * itself for blake3.mjs, which puts pieces of what is hashed into `input`.
 *
 * Four chunks, or four pairs of children, are compressed at once, a lane each. Results of unused
 * lanes are ignored. */
#include <stdint.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define UNROLL _Pragma("clang loop unroll(full)")

typedef uint32_t lanes __attribute__((vector_size(16)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));

enum {
  word_size = 4,
  block_size = 64,
  chunk_size = 1024,
  lane_count = 4,
  hash_words = 8,
  block_words = block_size / word_size,
  /* A power of two, so that the chunks of a piece are a subtree. */
  piece_chunks = 256,
  /* One for each bit of the number of pieces. */
  most_subtrees = 64,
};

enum { chunk_start = 1, chunk_end = 2, parent = 4, root = 8 };

typedef struct hash {
  uint32_t words[hash_words];
} hash;

/* As SHA-256 begins. */
static const hash start = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                            0x1f83d9ab, 0x5be0cd19}};

/* Which word of the message comes where, in each round. */
static const uint8_t order[7][block_words] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8},
    {3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1},
    {10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6},
    {12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4},
    {9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7},
    {11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13},
};

/* Lanes of the last chunks may lie behind the piece. */
static uint8_t input[(piece_chunks + lane_count) * chunk_size] __attribute__((aligned(16)));
/* Of the chunks of a piece, and then of what is above them. */
static hash nodes[piece_chunks + 2 * lane_count];
/* The subtrees of the pieces before, the largest first. */
static hash subtrees[most_subtrees];
static uint32_t subtree_count;
static uint64_t pieces;

static lanes all(uint32_t word) { return (lanes){word, word, word, word}; }

static lanes rotate16(lanes x) {
  bytes16 b = (bytes16)x;
  return (lanes)__builtin_shufflevector(b, b, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
}
static lanes rotate8(lanes x) {
  bytes16 b = (bytes16)x;
  return (lanes)__builtin_shufflevector(b, b, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12);
}

static inline void mix(lanes *state, int a, int b, int c, int d, lanes x, lanes y) {
  state[a] += state[b] + x;
  state[d] = rotate16(state[d] ^ state[a]);
  state[c] += state[d];
  state[b] ^= state[c];
  state[b] = state[b] >> 12 | state[b] << 20;
  state[a] += state[b] + y;
  state[d] = rotate8(state[d] ^ state[a]);
  state[c] += state[d];
  state[b] ^= state[c];
  state[b] = state[b] >> 7 | state[b] << 25;
}

/* Of each lane, a block of `size` bytes. */
static void compress(lanes chain[hash_words], const lanes block[block_words], lanes counter_low,
                     lanes counter_high, uint32_t size, uint32_t flags) {
  lanes state[16];
  UNROLL for (int i = 0; i < hash_words; ++i) state[i] = chain[i];
  UNROLL for (int i = 0; i < 4; ++i) state[hash_words + i] = all(start.words[i]);
  state[12] = counter_low;
  state[13] = counter_high;
  state[14] = all(size);
  state[15] = all(flags);
  UNROLL for (int round = 0; round < 7; ++round) {
    const uint8_t *from = order[round];
    UNROLL for (int i = 0; i < 4; ++i)
        mix(state, i, 4 + i, 8 + i, 12 + i, block[from[2 * i]], block[from[2 * i + 1]]);
    UNROLL for (int i = 0; i < 4; ++i)
        mix(state, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, block[from[8 + 2 * i]],
            block[from[9 + 2 * i]]);
  }
  UNROLL for (int i = 0; i < hash_words; ++i) chain[i] = state[i] ^ state[hash_words + i];
}

/* A block of each lane; lane by lane they lie `distance` bytes apart. */
static void load(lanes block[block_words], const uint8_t *from, size_t distance) {
  UNROLL for (int i = 0; i < block_words; i += 4) {
    lanes rows[lane_count];
    UNROLL for (int lane = 0; lane < lane_count; ++lane)
        memcpy(&rows[lane], from + lane * distance + i * word_size, sizeof(lanes));
    lanes low01 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    lanes low23 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    lanes high01 = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    lanes high23 = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    block[i] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    block[i + 1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    block[i + 2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    block[i + 3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
  }
}

static void begin(lanes chain[hash_words]) {
  UNROLL for (int i = 0; i < hash_words; ++i) chain[i] = all(start.words[i]);
}

static void store(const lanes chain[hash_words], hash *to) {
  for (int lane = 0; lane < lane_count; ++lane)
    UNROLL for (int i = 0; i < hash_words; ++i) to[lane].words[i] = chain[i][lane];
}

/* Four chunks of the piece, or, of a `size` less than that of a chunk, one. `flags`: beside those
 * of chunks, at the end. */
static void hash_chunks(uint32_t first, uint32_t size, uint32_t flags) {
  const uint8_t *at = input + first * chunk_size;
  uint64_t number = pieces * piece_chunks + first;
  lanes low = all((uint32_t)number) + (lanes){0, 1, 2, 3};
  /* A piece does not reach from below 2^32 to above. */
  lanes high = all((uint32_t)(number >> 32));
  lanes chain[hash_words], block[block_words];
  begin(chain);
  uint32_t done = 0;
  do {
    uint32_t left = size - done;
    uint32_t taken = left < block_size ? left : block_size;
    load(block, at + done, chunk_size);
    compress(chain, block, low, high, taken,
             (done == 0 ? chunk_start : 0) | (left <= block_size ? chunk_end | flags : 0));
    done += taken;
  } while (done < size);
  store(chain, nodes + first);
}

/* Puts what is above pairs of children, which follow each other, in the place of the first ones. */
static void join(hash *children, uint32_t pairs, uint32_t flags) {
  for (uint32_t i = 0; i < pairs; i += lane_count) {
    lanes chain[hash_words], block[block_words];
    begin(chain);
    load(block, (const uint8_t *)(children + 2 * i), block_size);
    compress(chain, block, all(0), all(0), block_size, parent | flags);
    hash above[lane_count];
    store(chain, above);
    uint32_t count = pairs - i < lane_count ? pairs - i : lane_count;
    memcpy(children + i, above, count * sizeof(hash));
  }
}

static void join_two(const hash *left, hash *right, uint32_t flags) {
  hash both[2 * lane_count] = {*left, *right};
  join(both, 1, flags);
  *right = both[0];
}

/* The tree of a piece of so many bytes: in nodes[0]. */
static void hash_piece(uint32_t size, uint32_t flags) {
  uint32_t whole = size / chunk_size, rest = size % chunk_size, count = whole + (rest != 0);
  if (count <= 1) {
    memset(input + size, 0, block_size);
    hash_chunks(0, size, flags);
    return;
  }
  for (uint32_t i = 0; i < whole; i += lane_count)
    hash_chunks(i, chunk_size, 0);
  if (rest) {
    memset(input + size, 0, block_size);
    hash_chunks(whole, rest, 0);
  }
  /* One without a neighbour goes up as it is. */
  for (; count > 1; count = (count + 1) / 2) {
    uint32_t pairs = count / 2;
    join(nodes, pairs, count == 2 ? flags : 0);
    if (count % 2)
      nodes[pairs] = nodes[count - 1];
  }
}

EXPORT(input) uint8_t *get_input(void) { return input; }
EXPORT(inputSize) uint32_t input_size(void) { return piece_chunks * chunk_size; }

EXPORT(begin) void begin_hash(void) {
  subtree_count = 0;
  pieces = 0;
}

/* A piece is full, and others follow. Subtrees of one size are joined once it is known that there
 * is more: the root has another flag. */
EXPORT(add) void add_piece(void) {
  hash_piece(piece_chunks * chunk_size, 0);
  ++pieces;
  for (uint64_t left = pieces; left % 2 == 0; left /= 2)
    join_two(&subtrees[--subtree_count], &nodes[0], 0);
  subtrees[subtree_count++] = nodes[0];
}

/* The last piece, of so many bytes; only an empty input has one of none. Returns where the hash is.
 */
EXPORT(finish) const hash *finish_hash(uint32_t size) {
  hash_piece(size, subtree_count == 0 ? root : 0);
  while (subtree_count != 0) {
    --subtree_count;
    join_two(&subtrees[subtree_count], &nodes[0], subtree_count == 0 ? root : 0);
  }
  return nodes;
}
