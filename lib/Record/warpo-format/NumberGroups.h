//===- NumberGroups.h - LEB128 numbers that stand in a word ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_NUMBERGROUPS_H
#define WARPO_LIB_RECORD_WARPO_NUMBERGROUPS_H

#include "llvm/ADT/bit.h"
#include <cstdint>

namespace warpo {

/// The highest bit of each byte of `word` that is a number's last one.
inline uint64_t endsOfNumbers(uint64_t word) { return ~word & 0x8080808080808080; }

/// How many bits the number has that ends first of those in `ends`, which is not 0, with all that
/// stands before it.
inline unsigned bitsUpToEnd(uint64_t ends) { return unsigned(llvm::countr_zero(ends)) + 1; }

/// The lowest `bits` of a word, from 1 to 64.
inline uint64_t lowestBits(uint64_t word, unsigned bits) {
  return word & UINT64_MAX >> (64 - bits);
}

/// The value of a number whose bytes, at most 8, are those of `word`.
inline uint64_t joinGroups(uint64_t word) {
  word &= 0x7f7f7f7f7f7f7f7f;
  word = (word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;
  word = (word & 0x00003fff00003fff) | (word & 0x3fff00003fff0000) >> 2;
  return (word & 0x000000000fffffff) | (word & 0x0fffffff00000000) >> 4;
}

/// The same of at most 2 bytes.
inline uint64_t joinTwo(uint64_t word) { return (word & 0x7f) | (word >> 1 & 0x3f80); }

} // namespace warpo

#endif
