//===- PageEncoding.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PageEncoding.h"
#include "CompactThrift.h"
#include "warpo/Support/ByteWriter.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

/// Adds `size` bytes and returns where they begin.
static uint8_t *grow(PageBytes &out, size_t size) {
  size_t at = out.size();
  out.resize_for_overwrite(at + size);
  return out.data() + at;
}

void warpo::encodePlain(ArrayRef<int64_t> values, PageBytes &out) {
  uint8_t *at = grow(out, values.size() * 8);
  for (int64_t value : values) {
    support::endian::write64le(at, uint64_t(value));
    at += 8;
  }
}

void warpo::encodePlain(StringRef text, PageBytes &out) {
  support::endian::write32le(grow(out, 4), uint32_t(text.size()));
  out.append(text.bytes_begin(), text.bytes_end());
}

/// In so many bytes, the lowest first.
static void packBytes(uint64_t value, unsigned bytes, uint8_t *at) {
  for (unsigned i = 0; i < bytes; ++i)
    at[i] = uint8_t(value >> 8 * i);
}

void warpo::encodeDelta(ArrayRef<int64_t> values, PageBytes &out) {
  // Differences wrap around: readers add them the same way.
  static constexpr size_t block = 128;
  static constexpr size_t parts = 4;
  static constexpr size_t part = block / parts;
  ByteWriter writer(out);
  writer.uleb(block);
  writer.uleb(parts);
  writer.uleb(values.size());
  writer.uleb(zigzag(values.empty() ? 0 : values.front()));
  for (size_t begin = 1; begin < values.size(); begin += block) {
    uint64_t deltas[block] = {};
    size_t count = std::min(block, values.size() - begin);
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < count; ++i) {
      deltas[i] = uint64_t(values[begin + i]) - uint64_t(values[begin + i - 1]);
      least = std::min(least, int64_t(deltas[i]));
    }
    writer.uleb(zigzag(least));
    unsigned widths[parts] = {};
    for (size_t i = 0; i < count; ++i) {
      deltas[i] -= uint64_t(least);
      widths[i / part] = std::max(widths[i / part], unsigned(divideCeil(bit_width(deltas[i]), 8)));
    }
    for (unsigned width : widths)
      writer.u8(uint8_t(width * 8));
    for (size_t i = 0; i < parts && i * part < count; ++i) {
      uint8_t *at = grow(out, part * widths[i]);
      for (uint64_t delta : ArrayRef(deltas).slice(i * part, part)) {
        packBytes(delta, widths[i], at);
        at += widths[i];
      }
    }
  }
}

void warpo::encodeIndices(ArrayRef<uint32_t> indices, size_t size, PageBytes &out) {
  unsigned width = size <= 1 << 8 ? 1 : size <= 1 << 16 ? 2 : 4;
  ByteWriter writer(out);
  writer.u8(uint8_t(width * 8));
  if (size == 1) {
    writer.uleb(uint64_t(indices.size()) << 1);
    packBytes(0, width, grow(out, width));
    return;
  }
  // One run of numbers as they are: zstd finds those that repeat. It holds a multiple of eight.
  size_t groups = divideCeil(indices.size(), 8);
  writer.uleb(uint64_t(groups) << 1 | 1);
  uint8_t *at = grow(out, groups * 8 * width);
  uint8_t *end = at + groups * 8 * width;
  if (width == 1) {
    for (uint32_t index : indices)
      *at++ = uint8_t(index);
  } else if (width == 2) {
    for (uint32_t index : indices) {
      support::endian::write16le(at, uint16_t(index));
      at += 2;
    }
  } else {
    for (uint32_t index : indices) {
      support::endian::write32le(at, index);
      at += 4;
    }
  }
  std::fill(at, end, 0);
}

/// Levels have their size in front.
static void encodeLevelRun(uint64_t header, ArrayRef<uint8_t> run, PageBytes &out) {
  size_t size = getULEB128Size(header) + run.size();
  support::endian::write32le(grow(out, 4), uint32_t(size));
  ByteWriter writer(out);
  writer.uleb(header);
  writer.bytes(run);
}

void warpo::encodeEqualLevels(size_t count, bool level, PageBytes &out) {
  encodeLevelRun(uint64_t(count) << 1, uint8_t(level), out);
}

void warpo::encodeLevelBits(size_t count, ArrayRef<uint8_t> bits, PageBytes &out) {
  encodeLevelRun(uint64_t(divideCeil(count, 8)) << 1 | 1, bits, out);
}

static constexpr uint32_t noNumber = UINT32_MAX;

namespace {

/// The number of each value, by its distance from the least one: for values that are close.
class CloseNumbers {
public:
  CloseNumbers(int64_t least, uint64_t range) : least_(least), numbers_(range + 1, noNumber) {}

  uint32_t *find(int64_t value) { return &numbers_[size_t(uint64_t(value) - uint64_t(least_))]; }
  static void added(ArrayRef<int64_t>) {}

private:
  int64_t least_;
  std::vector<uint32_t> numbers_;
};

/// The same by a hash of the value.
class HashedNumbers {
public:
  uint32_t *find(int64_t value) {
    size_t at = size_t(uint64_t(value) * 0x9e3779b97f4a7c15u >> (64 - bits_));
    while (slots_[at].number != noNumber && slots_[at].value != value)
      at = (at + 1) & (slots_.size() - 1);
    slots_[at].value = value;
    return &slots_[at].number;
  }
  // Grows with the dictionary: most columns have few values, whose slots then stay in the cache.
  void added(ArrayRef<int64_t> dictionary) {
    if (dictionary.size() <= slots_.size() / 2)
      return;
    slots_.assign(size_t(1) << ++bits_, Slot());
    for (uint32_t number = 0; number < dictionary.size(); ++number)
      *find(dictionary[number]) = number;
  }

private:
  struct Slot {
    int64_t value = 0;
    uint32_t number = noNumber;
  };
  unsigned bits_ = 10;
  std::vector<Slot> slots_ = std::vector<Slot>(size_t(1) << bits_);
};

} // namespace

template <typename Numbers>
static std::vector<int64_t> numberValues(ArrayRef<int64_t> values, Numbers numbers,
                                         std::vector<uint32_t> &indices) {
  // Eight bytes for each value of the dictionary and four for each index are less than eight bytes
  // for each value.
  const size_t limit = values.size() / 2;
  std::vector<int64_t> dictionary;
  indices.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t *number = numbers.find(values[i]);
    indices[i] = *number;
    if (*number != noNumber)
      continue;
    if (dictionary.size() == limit)
      return {};
    *number = indices[i] = uint32_t(dictionary.size());
    dictionary.push_back(values[i]);
    numbers.added(dictionary);
  }
  return dictionary;
}

std::vector<int64_t> warpo::makeDictionary(ArrayRef<int64_t> values, int64_t least, int64_t largest,
                                           std::vector<uint32_t> &indices) {
  static constexpr uint64_t closeRange = 1 << 12;
  uint64_t range = uint64_t(largest) - uint64_t(least);
  return range < closeRange ? numberValues(values, CloseNumbers(least, range), indices)
                            : numberValues(values, HashedNumbers(), indices);
}
