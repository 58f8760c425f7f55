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
  /// As stored, until BlockReader::decompress(); valid until the next block is read.
  llvm::ArrayRef<uint8_t> payload;
  bool isCompressed = false;
  /// It is no block but a signature, which is the payload.
  bool isSignature = false;
};

/// Reads block after block and the signatures between them, checks them, and finds the next whole
/// one behind damage.
class BlockReader {
public:
  /// `input` stands behind the signature.
  explicit BlockReader(InputStream &input) : input_(input) {}

  /// False at the end of the input. Before it returns, skippedBytes() and skippedFrom() say what
  /// was damaged in front of the block, or of the end.
  llvm::Expected<bool> next(Block &block);
  /// The block that stands where the next one is looked for; false if that is not a whole one.
  llvm::Expected<bool> readHere(Block &block);
  /// Gives the block, the one read last, its payload proper. False if there is none. Only for
  /// blocks that are of use: a few hundred bytes may become 16 MB.
  bool decompress(Block &block);

  /// Where the next block is looked for.
  uint64_t position() const { return input_.offset() + current_; }
  /// With its header, of the block read last.
  uint64_t storedSize() const { return current_; }
  llvm::Error seek(uint64_t offset) {
    current_ = 0;
    return input_.seek(offset);
  }

  uint64_t skippedBytes() const { return skippedBytes_; }
  uint64_t skippedFrom() const { return skippedFrom_; }

private:
  llvm::Expected<bool> readSignature(Block &block);
  /// Whether a whole block stands at the start of the window.
  llvm::Expected<bool> isWhole(warpo_block_header &header);

  InputStream &input_;
  /// The size, with its header, of the block that was handed out last: consumed with the next call.
  size_t current_ = 0;
  uint64_t skippedBytes_ = 0;
  uint64_t skippedFrom_ = 0;
  /// How many bytes were checked and were no block.
  uint64_t searched_ = 0;
  llvm::SmallVector<uint8_t, 0> decompressed_;
};

} // namespace warpo

#endif
