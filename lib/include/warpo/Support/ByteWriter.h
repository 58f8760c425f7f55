//===- ByteWriter.h - Appends numbers, names and sized parts --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_BYTEWRITER_H
#define WARPO_SUPPORT_BYTEWRITER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LEB128.h"
#include <cstdint>

namespace warpo {

/// Appends to a buffer owned by the caller.
class ByteWriter {
public:
  explicit ByteWriter(llvm::SmallVectorImpl<uint8_t> &out) : out_(out) {}

  size_t size() const { return out_.size(); }
  void u8(uint8_t value) { out_.push_back(value); }
  void uleb(uint64_t value) {
    append(longestNumber, [=](uint8_t *at) { return llvm::encodeULEB128(value, at); });
  }
  void sleb(int64_t value) {
    append(longestNumber, [=](uint8_t *at) { return llvm::encodeSLEB128(value, at); });
  }
  void bytes(const uint8_t *begin, const uint8_t *end) { out_.append(begin, end); }
  void bytes(llvm::ArrayRef<uint8_t> bytes) { out_.append(bytes.begin(), bytes.end()); }
  void name(llvm::StringRef text) {
    uleb(text.size());
    bytes(text.bytes_begin(), text.bytes_end());
  }
  /// The bytes written from this position on; valid until the next write.
  llvm::ArrayRef<uint8_t> writtenFrom(size_t at) const {
    return llvm::ArrayRef<uint8_t>(out_).drop_front(at);
  }
  void truncate(size_t size) { out_.truncate(size); }
  void insert(size_t at, llvm::ArrayRef<uint8_t> bytes) {
    out_.insert(out_.begin() + at, bytes.begin(), bytes.end());
  }

  /// A part preceded by its size.
  struct Part {
    size_t begin = 0;
    unsigned width = 0;
  };
  /// Reserves space for a size of `expected`; if that is right, endPart() does not have to move the
  /// part.
  Part beginPart(uint64_t expected) {
    Part part;
    part.width = llvm::getULEB128Size(expected);
    out_.append(part.width, 0);
    part.begin = out_.size();
    return part;
  }
  /// Returns the size of the part.
  uint64_t endPart(const Part &part) {
    uint64_t size = out_.size() - part.begin;
    uint8_t encoded[longestNumber];
    unsigned width = llvm::encodeULEB128(size, encoded);
    size_t at = part.begin - part.width;
    if (width > part.width)
      out_.insert(out_.begin() + at, width - part.width, 0);
    else if (width < part.width)
      out_.erase(out_.begin() + at, out_.begin() + at + (part.width - width));
    std::copy(encoded, encoded + width, out_.begin() + at);
    return size;
  }

  /// Appends what `write(at)` writes to `at`, at most `most` bytes, and whose number it returns.
  template <typename Write> void append(size_t most, Write write) {
    size_t at = out_.size();
    out_.resize_for_overwrite(at + most);
    out_.truncate(at + write(out_.data() + at));
  }
  static constexpr size_t longestNumber = 10;

private:
  llvm::SmallVectorImpl<uint8_t> &out_;
};

} // namespace warpo

#endif
