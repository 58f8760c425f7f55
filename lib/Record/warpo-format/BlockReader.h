//===- BlockReader.h - The blocks of a `warpo` record ---------------------===//

#ifndef WARPO_LIB_RECORD_WARPO_BLOCKREADER_H
#define WARPO_LIB_RECORD_WARPO_BLOCKREADER_H

#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/InputStream.h"
#include <memory>

namespace warpo {

struct Block {
  uint8_t kind = 0;
  /// Of the `sync`, in the input.
  uint64_t offset = 0;
  /// Decompressed; valid until the next block is read.
  llvm::ArrayRef<uint8_t> payload;
  bool isCompressed = false;
};

/// Reads block after block, checks them, and finds the next whole one behind damage.
class BlockReader {
public:
  /// `input` stands behind the signature.
  explicit BlockReader(InputStream &input) : input_(input) {}

  /// False at the end of the input. Before it returns, skippedBytes() and skippedFrom() say what
  /// was damaged in front of the block, or of the end.
  llvm::Expected<bool> next(Block &block);

  /// Where the next block is looked for.
  uint64_t position() const { return input_.offset() + current_; }
  llvm::Error seek(uint64_t offset) {
    current_ = 0;
    return input_.seek(offset);
  }

  uint64_t skippedBytes() const { return skippedBytes_; }
  uint64_t skippedFrom() const { return skippedFrom_; }

private:
  /// Whether a whole block stands at the start of the window.
  llvm::Expected<bool> isWhole();
  bool decompress(Block &block);

  InputStream &input_;
  /// The size, with its header, of the block that was handed out last: consumed with the next call.
  size_t current_ = 0;
  uint64_t skippedBytes_ = 0;
  uint64_t skippedFrom_ = 0;
  /// How many bytes were checked in the search for a whole block.
  uint64_t searched_ = 0;
  llvm::SmallVector<uint8_t, 0> decompressed_;
};

} // namespace warpo

#endif
