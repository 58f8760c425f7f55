//===- ByteCursor.h - Checked reading of bytes that may be hostile --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_BYTECURSOR_H
#define WARPO_SUPPORT_BYTECURSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace warpo {

/// Reads little-endian numbers and LEB128 from a buffer that somebody else owns. The first failure
/// sticks: all later reads return 0 or nothing and do not move, so that a loop of reads needs one
/// check, at its end.
class ByteCursor {
public:
  /// `baseOffset` is the offset of `bytes[0]` in the file, for error texts.
  explicit ByteCursor(llvm::ArrayRef<uint8_t> bytes, uint64_t baseOffset = 0)
      : begin_(bytes.begin()), at_(bytes.begin()), end_(bytes.end()), base_(baseOffset) {}

  bool ok() const { return failure_.empty(); }
  bool atEnd() const { return at_ == end_; }
  size_t remaining() const { return size_t(end_ - at_); }
  /// Offset in the file of the next byte, or of the failure.
  uint64_t offset() const { return base_ + uint64_t(at_ - begin_); }
  const uint8_t *position() const { return at_; }

  uint8_t u8() { return at_ != end_ ? *at_++ : uint8_t(failEnd(1)); }
  uint32_t u32() { return fixed<uint32_t>(); }
  uint64_t u64() { return fixed<uint64_t>(); }

  uint32_t uleb32() {
    if (at_ != end_ && *at_ < 0x80)
      return *at_++;
    return uint32_t(uleb(32));
  }
  uint64_t uleb64() { return uleb(64); }
  int32_t sleb32() { return int32_t(sleb(32)); }
  int64_t sleb33() { return sleb(33); }
  int64_t sleb64() { return sleb(64); }

  llvm::ArrayRef<uint8_t> bytes(uint64_t count);
  void skip(uint64_t count) { (void)bytes(count); }
  /// Skips bytes that are there: at most remaining().
  void advance(size_t count) { at_ += count; }
  /// A LEB128 length and as many bytes.
  llvm::StringRef sizedString();

  /// Makes the cursor fail at its present offset; the first message wins.
  void fail(const llvm::Twine &message);
  /// The same at a place that has been read already.
  void failAt(const uint8_t *place, const llvm::Twine &message);
  /// Fails as `part` did, which read bytes that this cursor has passed already.
  void adoptFailure(const ByteCursor &part);
  /// Success, or `<file>:0x<offset>: <message>`.
  llvm::Error takeError(llvm::StringRef file) const;

private:
  template <typename T> T fixed() {
    if (remaining() < sizeof(T))
      return T(failEnd(sizeof(T)));
    T value = llvm::support::endian::read<T, llvm::endianness::little>(at_);
    at_ += sizeof(T);
    return value;
  }
  int failEnd(uint64_t wanted);
  uint64_t uleb(unsigned bits);
  int64_t sleb(unsigned bits);

  const uint8_t *begin_;
  const uint8_t *at_;
  const uint8_t *end_;
  uint64_t base_;
  uint64_t failedAt_ = 0;
  std::string failure_;
};

} // namespace warpo

#endif
