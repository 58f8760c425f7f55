//===- InputStream.h - Reads a file or standard input in blocks -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// For input that may be larger than memory (records). Modules and mappings are read whole by
// readWholeInput.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_INPUTSTREAM_H
#define WARPO_SUPPORT_INPUTSTREAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// A window that moves forward over the bytes of a file, a pipe or standard input.
/// Uses read(2): mapped pages would count as the tool's memory, and a pipe cannot be
/// mapped.
class InputStream {
public:
  /// `path` is a file or `-` for standard input.
  static llvm::Expected<std::unique_ptr<InputStream>> open(llvm::StringRef path);
  /// Reads from a copy of `bytes`, for tests and for records within other data.
  static std::unique_ptr<InputStream> fromBytes(llvm::ArrayRef<uint8_t> bytes,
                                                llvm::StringRef name);

  InputStream(const InputStream &) = delete;
  InputStream &operator=(const InputStream &) = delete;
  ~InputStream();

  /// Makes at least `count` bytes visible, fewer only at the end of the input. Returns all visible
  /// bytes, which start at offset() and are valid until the next call. Fails on an error of the
  /// operating system.
  llvm::Expected<llvm::ArrayRef<uint8_t>> window(size_t count);

  /// Moves the start of the window forward over bytes that the last window returned.
  void consume(size_t count);

  /// Whether seek() and readAt() work: for files opened by name, and for memory.
  bool canSeek() const { return size_ && descriptor_ != standardInput; }
  /// Moves the start of the window to `offset`, at most the input's size.
  llvm::Error seek(uint64_t offset);
  /// Reads from `offset` on without moving the window. Returns the number of bytes, which is
  /// smaller than requested only at the end of the input.
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<uint8_t> bytes) const;

  /// The offset of the start of the window, in bytes.
  uint64_t offset() const { return offset_; }
  /// The input's size in bytes, if known (a regular file).
  std::optional<uint64_t> size() const { return size_; }
  /// The input's name in messages: the path, or `<stdin>`.
  llvm::StringRef name() const { return name_; }

private:
  static constexpr int standardInput = 0;

  InputStream(int descriptor, bool owned, std::string name);

  int descriptor_;
  bool owned_;
  bool atEnd_ = false;
  std::string name_;
  std::optional<uint64_t> size_;
  std::vector<uint8_t> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t offset_ = 0;
};

/// The name of an input in messages: the path, or `<stdin>` for `-`.
llvm::StringRef inputName(llvm::StringRef path);

/// Reads a whole file, or standard input for `-`. Maps large files; the buffer owns the
/// bytes.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readWholeInput(llvm::StringRef path);

} // namespace warpo

#endif
