//===- PageEncoding.h - Encodings of values in pages ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// All functions append to `out`. Bit widths are multiples of 8: the format permits more bits than
// necessary, and zstd compresses bytes better than packed bits.
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

/// PLAIN: eight bytes each, little endian.
void encodePlain(llvm::ArrayRef<int64_t> values, PageBytes &out);
/// PLAIN: a four-byte size and the text.
void encodePlain(llvm::StringRef text, PageBytes &out);
/// DELTA_BINARY_PACKED.
void encodeDelta(llvm::ArrayRef<int64_t> values, PageBytes &out);
/// RLE_DICTIONARY: indices below `size`, the size of the dictionary.
void encodeIndices(llvm::ArrayRef<uint32_t> indices, size_t size, PageBytes &out);

/// RLE: `count` definition or repetition levels, at least one: 0 or 1 each, as returned by `level`,
/// which is called in order.
template <typename F> void encodeLevels(size_t count, F level, PageBytes &out);
/// The same for equal levels.
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

/// Assigns `values`, at least one, indices into a dictionary; `least` and `largest` are their
/// bounds. Returns the dictionary, which is empty if it would not save space.
std::vector<int64_t> makeDictionary(llvm::ArrayRef<int64_t> values, int64_t least, int64_t largest,
                                    std::vector<uint32_t> &indices);

} // namespace warpo

#endif
