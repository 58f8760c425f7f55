//===- PageEncoding.h - How the values of a page are written --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// All functions add to the end of `out`. Widths are whole bytes: the format lets writers choose
// more bits than are needed, and zstd finds more in bytes than in bits that are packed.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_PARQUET_PAGEENCODING_H
#define WARPO_LIB_PARQUET_PAGEENCODING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace warpo {

using PageBytes = llvm::SmallVectorImpl<uint8_t>;

/// PLAIN: eight bytes each, the lowest first.
void encodePlain(llvm::ArrayRef<int64_t> values, PageBytes &out);
/// PLAIN: a size of four bytes and the text.
void encodePlain(llvm::StringRef text, PageBytes &out);
/// DELTA_BINARY_PACKED.
void encodeDelta(llvm::ArrayRef<int64_t> values, PageBytes &out);
/// RLE_DICTIONARY: numbers below `size`, the dictionary's.
void encodeIndices(llvm::ArrayRef<uint32_t> indices, size_t size, PageBytes &out);

/// RLE: definition or repetition levels, of which there are `count`, at least one: 0 or 1 each, as
/// `level` says of each in turn.
template <typename F> void encodeLevels(size_t count, F level, PageBytes &out);
/// The same for levels that are all equal.
void encodeEqualLevels(size_t count, bool level, PageBytes &out);
void encodeLevelBits(size_t count, llvm::ArrayRef<uint8_t> bits, PageBytes &out);

template <typename F> void encodeLevels(size_t count, F level, PageBytes &out) {
  std::vector<uint8_t> bits((count + 7) / 8);
  size_t set = 0;
  for (size_t i = 0; i < count; ++i) {
    bool isSet = level(i);
    set += isSet;
    bits[i / 8] |= uint8_t(isSet << i % 8);
  }
  if (set == 0 || set == count)
    encodeEqualLevels(count, set > 0, out);
  else
    encodeLevelBits(count, bits, out);
}

/// Gives `values`, which are not empty and lie between `least` and `largest`, numbers in a
/// dictionary. Returns the dictionary, empty if the values would take no less room with it.
std::vector<int64_t> makeDictionary(llvm::ArrayRef<int64_t> values, int64_t least, int64_t largest,
                                    std::vector<uint32_t> &indices);

} // namespace warpo

#endif
