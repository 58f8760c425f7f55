//===- TextBuffer.h - Text put together by hand, written in blocks --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TEXT_TEXTBUFFER_H
#define WARPO_OUTPUT_TEXT_TEXTBUFFER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>
#include <vector>

namespace warpo {

class TextBuffer {
public:
  explicit TextBuffer(llvm::raw_ostream &os) : os_(os), buffer_(blockSize) {}

  /// Reserves `size` bytes at the returned address; advanceTo() then sets the end of the bytes
  /// written.
  char *reserve(size_t size) {
    if (LLVM_UNLIKELY(buffer_.size() - used_ < size))
      makeRoom(size);
    return buffer_.data() + used_;
  }
  void advanceTo(char *end) { used_ = size_t(end - buffer_.data()); }

  void append(llvm::StringRef text) { advanceTo(copy(reserve(text.size()), text)); }

  /// Copies `text` to `at`, where space must be reserved; returns its end.
  static char *copy(char *at, llvm::StringRef text) {
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
  }

  /// Bytes written so far.
  uint64_t written() const { return flushed_ + used_; }
  void flush() {
    os_ << llvm::StringRef(buffer_.data(), used_);
    flushed_ += used_;
    used_ = 0;
  }

private:
  static constexpr size_t blockSize = 64 * 1024;

  void makeRoom(size_t size) {
    flush();
    buffer_.resize(std::max(buffer_.size(), size));
  }

  llvm::raw_ostream &os_;
  std::vector<char> buffer_;
  size_t used_ = 0;
  uint64_t flushed_ = 0;
};

} // namespace warpo

#endif
