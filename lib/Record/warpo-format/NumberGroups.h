//===- NumberGroups.h - LEB128 numbers within a word ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_NUMBERGROUPS_H
#define WARPO_LIB_RECORD_WARPO_NUMBERGROUPS_H

#include "llvm/ADT/bit.h"
#include <cstdint>

namespace warpo {

/// A word with the highest bit of each byte set that is the last one of a number in `word`.
inline uint64_t endsOfNumbers(uint64_t word) { return ~word & 0x8080808080808080; }

/// The number of bits up to the end of the first number in `ends`, which is not 0.
inline unsigned bitsUpToEnd(uint64_t ends) { return unsigned(llvm::countr_zero(ends)) + 1; }

/// The lowest `bits` of a word, from 1 to 64.
inline uint64_t lowestBits(uint64_t word, unsigned bits) {
  return word & UINT64_MAX >> (64 - bits);
}

/// The value of a number of at most 8 bytes in `word`.
inline uint64_t joinGroups(uint64_t word) {
  word &= 0x7f7f7f7f7f7f7f7f;
  word = (word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;
  word = (word & 0x00003fff00003fff) | (word & 0x3fff00003fff0000) >> 2;
  return (word & 0x000000000fffffff) | (word & 0x0fffffff00000000) >> 4;
}

/// The same for at most 2 bytes.
inline uint64_t joinTwo(uint64_t word) { return (word & 0x7f) | (word >> 1 & 0x3f80); }

} // namespace warpo

#endif
