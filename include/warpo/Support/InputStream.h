//===- InputStream.h - Reads a file or standard input in blocks -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// For input that may be larger than memory (records). What is read as a whole (modules, mappings)
// goes through readWholeInput.
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

/// A window that moves forward over the bytes of a file, a pipe or standard input. Reads with
/// read(2), not by mapping: the pages of a mapped file count as memory of the tool, and a pipe
/// cannot be mapped.
class InputStream {
public:
  /// `path` is a file or `-` for standard input.
  static llvm::Expected<std::unique_ptr<InputStream>> open(llvm::StringRef path);
  /// Reads from memory, for tests and for records inside other things. Copies `bytes`.
  static std::unique_ptr<InputStream> fromBytes(llvm::ArrayRef<uint8_t> bytes,
                                                llvm::StringRef name);

  InputStream(const InputStream &) = delete;
  InputStream &operator=(const InputStream &) = delete;
  ~InputStream();

  /// Makes at least `count` bytes visible, fewer only at the end of the input, and returns all that
  /// are visible: they start at offset() and stay valid until the next call. Fails if the operating
  /// system does.
  llvm::Expected<llvm::ArrayRef<uint8_t>> window(size_t count);

  /// Moves the start of the window forward over bytes that the last window showed.
  void consume(size_t count);

  /// Whether seek() and readAt() work: for a file that was opened by its name, and for memory.
  bool canSeek() const { return size_ && descriptor_ != standardInput; }
  /// Moves the start of the window to `offset`, at most the input's size.
  llvm::Error seek(uint64_t offset);
  /// Reads from `offset` on and leaves the window alone. How many bytes there were, fewer than
  /// wanted only at the end of the input.
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<uint8_t> bytes) const;

  /// How far the start of the window is from the start of the input, in bytes.
  uint64_t offset() const { return offset_; }
  /// The input's length in bytes where it is known (a regular file).
  std::optional<uint64_t> size() const { return size_; }
  /// What to call the input in messages: the path, or `<stdin>`.
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

/// What to call an input in messages: the path, or `<stdin>` for `-`.
llvm::StringRef inputName(llvm::StringRef path);

/// All of a file, or of standard input for `-`. Maps large files; the bytes are owned by the
/// buffer.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readWholeInput(llvm::StringRef path);

} // namespace warpo

#endif
