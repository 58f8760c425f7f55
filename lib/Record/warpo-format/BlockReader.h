//===- BlockReader.h - The blocks of a `warpo` record ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_BLOCKREADER_H
#define WARPO_LIB_RECORD_WARPO_BLOCKREADER_H

#include "warpo/Recorder/record_blocks.h"
#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/InputStream.h"
#include <memory>

namespace warpo {

struct Block {
  uint8_t kind = 0;
  /// Offset of the `sync` in the input.
  uint64_t offset = 0;
  /// The stored bytes until BlockReader::decompress() is called; valid until the next block is
  /// read.
  llvm::ArrayRef<uint8_t> payload;
  bool isCompressed = false;
  /// Whether it is not a block but a signature, which is then the payload.
  bool isSignature = false;
};

/// Reads blocks and the signatures between them, checks them, and finds the next complete one after
/// damage.
class BlockReader {
public:
  /// `input` is behind the first signature.
  explicit BlockReader(InputStream &input) : input_(input) {}

  /// False at the end of the input. Sets skippedBytes() and skippedFrom() to the damage before the
  /// block or the end.
  llvm::Expected<bool> next(Block &block);
  /// Reads the block at position(); false if there is no complete one.
  llvm::Expected<bool> readHere(Block &block);
  /// Decompresses the payload of the block, which must be the last one read. False if it is
  /// invalid. Only call it for blocks that are used: a few hundred bytes may become 16 MB.
  bool decompress(Block &block);

  /// The offset at which the next block is expected.
  uint64_t position() const { return input_.offset() + current_; }
  /// The size of the last block, including its header.
  uint64_t storedSize() const { return current_; }
  llvm::Error seek(uint64_t offset) {
    current_ = 0;
    return input_.seek(offset);
  }

  uint64_t skippedBytes() const { return skippedBytes_; }
  uint64_t skippedFrom() const { return skippedFrom_; }
  /// Whether the skipped bytes are the beginning of one block, within which the input ends.
  bool isCutOff() const { return isCutOff_; }

private:
  llvm::Expected<bool> readSignature(Block &block);
  /// Whether there is a complete block at the start of the window. Sets isBegun_.
  llvm::Expected<bool> isWhole(warpo_block_header &header);

  InputStream &input_;
  /// The size, with its header, of the block returned last: consumed by the next call.
  size_t current_ = 0;
  uint64_t skippedBytes_ = 0;
  uint64_t skippedFrom_ = 0;
  bool isCutOff_ = false;
  /// Whether the start of the window may be that of a block with less than its size.
  bool isBegun_ = false;
  /// The number of bytes checked that were no block.
  uint64_t searched_ = 0;
  llvm::SmallVector<uint8_t, 0> decompressed_;
};

} // namespace warpo

#endif
