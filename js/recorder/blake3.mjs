// SPDX-License-Identifier: Apache-2.0
// BLAKE3, by which modules are known in records: of bytes, without a key, 32 bytes long.

const CHUNK = 1024;
const BLOCK = 64;

const FLAG = { chunkStart: 1, chunkEnd: 2, parent: 4, root: 8 };

// As SHA-256 begins.
const START = Int32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

// Which word of the message comes where in the next round.
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const ROUNDS = Array.from({ length: 7 });
ROUNDS[0] = PERMUTATION.map((_, i) => i);
for (let round = 1; round < ROUNDS.length; ++round) ROUNDS[round] = PERMUTATION.map((from) => ROUNDS[round - 1][from]);
const ORDER = Uint8Array.from(ROUNDS.flat());

const FIRST_WORDS = START.subarray(0, 4);

const state = new Int32Array(16);
const rotate = (word, count) => (word >>> count) | (word << (32 - count));

function mix(a, b, c, d, x, y) {
  state[a] = (state[a] + state[b] + x) | 0;
  state[d] = rotate(state[d] ^ state[a], 16);
  state[c] = (state[c] + state[d]) | 0;
  state[b] = rotate(state[b] ^ state[c], 12);
  state[a] = (state[a] + state[b] + y) | 0;
  state[d] = rotate(state[d] ^ state[a], 8);
  state[c] = (state[c] + state[d]) | 0;
  state[b] = rotate(state[b] ^ state[c], 7);
}

/** Compresses the 16 words `block`, whose first `size` bytes are data, into `chain`. */
function compress(chain, block, counter, size, flags) {
  state.set(chain);
  state.set(FIRST_WORDS, 8);
  state[12] = counter;
  state[13] = counter / 2 ** 32;
  state[14] = size;
  state[15] = flags;
  for (let at = 0; at < ORDER.length; at += 16) {
    for (let i = 0; i < 4; ++i)
      mix(i, 4 + i, 8 + i, 12 + i, block[ORDER[at + 2 * i]], block[ORDER[at + 2 * i + 1]]);
    for (let i = 0; i < 4; ++i)
      mix(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4), block[ORDER[at + 8 + 2 * i]], block[ORDER[at + 9 + 2 * i]]);
  }
  for (let i = 0; i < 8; ++i) chain[i] = state[i] ^ state[i + 8];
}

const padded = new Uint8Array(BLOCK);
const words = new Int32Array(16);

function wordsAt(bytes, at, size) {
  let from = bytes;
  if (size < BLOCK) {
    from = padded;
    padded.fill(0).set(bytes.subarray(at, at + size));
    at = 0;
  }
  for (let i = 0; i < 16; ++i, at += 4)
    words[i] = from[at] | (from[at + 1] << 8) | (from[at + 2] << 16) | (from[at + 3] << 24);
  return words;
}

/** The chaining value of the chunk with this number; `flags` beside its own are the root's. */
function hashChunk(bytes, number, flags) {
  const chain = START.slice();
  const begin = number * CHUNK;
  const end = Math.min(begin + CHUNK, bytes.length);
  let at = begin;
  do {
    const size = Math.min(BLOCK, end - at);
    const isFirst = at === begin ? FLAG.chunkStart : 0;
    const isLast = at + size === end ? FLAG.chunkEnd | flags : 0;
    compress(chain, wordsAt(bytes, at, size), number, size, isFirst | isLast);
    at += size;
  } while (at < end);
  return chain;
}

/** Of the `count` chunks from `first` on. The left half of a tree is the largest power of two that leaves something. */
function hashTree(bytes, first, count, flags) {
  if (count === 1) return hashChunk(bytes, first, flags);
  const left = 2 ** Math.ceil(Math.log2(count) - 1);
  const children = new Int32Array(16);
  children.set(hashTree(bytes, first, left, 0));
  children.set(hashTree(bytes, first + left, count - left, 0), 8);
  const chain = START.slice();
  compress(chain, children, 0, BLOCK, FLAG.parent | flags);
  return chain;
}

/** The hash of a Uint8Array. */
export function blake3(bytes) {
  const chain = hashTree(bytes, 0, Math.max(1, Math.ceil(bytes.length / CHUNK)), FLAG.root);
  const hash = new Uint8Array(32);
  const view = new DataView(hash.buffer);
  chain.forEach((word, i) => view.setInt32(4 * i, word, true));
  return hash;
}
