//===- BlockSelection.h - The blocks that a window of time needs ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_BLOCKSELECTION_H
#define WARPO_LIB_RECORD_WARPO_BLOCKSELECTION_H

#include "BlockReader.h"
#include <vector>

namespace warpo {

/// A block of events, as the index tells of it.
struct IndexedBlock {
  uint64_t offset = 0;
  /// With its header.
  uint64_t size = 0;
  /// The stream's number in the record.
  uint64_t stream = 0;
  uint64_t first = 0;
  uint64_t last = 0;
  /// It lies before the window, and so do all events that are not known without it.
  bool isBefore = false;
  /// The first of its stream that is read though others lie before it: its context is complete.
  bool isStart = false;
};

/// Says of each block of events whether it may be left out when only what happens at or after some
/// time matters. Streams begin where they are known without what comes before: at the last block
/// that begins before that time with all open calls in its context.
class BlockSelection {
public:
  /// Every block is needed.
  BlockSelection() = default;

  /// By the index of a record that ends as it should; empty() if there is none that can be used.
  /// Nothing is left out yet. Moves `input`, which must be able to seek.
  static llvm::Expected<BlockSelection> create(InputStream &input);
  /// Of the same `input`: what lies before `from`, and is not needed for what comes behind.
  llvm::Error leaveOutBefore(uint64_t from, InputStream &input);

  bool empty() const { return blocks_.empty(); }
  /// When the earliest event is, which need not be in the first block; nothing if empty().
  std::optional<uint64_t> earliest() const;
  /// Where the index does not fit the blocks of its record.
  std::optional<uint64_t> misfit() const { return misfit_; }
  /// The block of events at this offset or null; offsets must not decrease from call to call.
  const IndexedBlock *find(uint64_t offset);

private:
  /// False if it is a misfit.
  llvm::Expected<bool> readIndex(InputStream &input, uint64_t indexOffset);
  llvm::Expected<bool> addSizes(InputStream &input, uint64_t indexOffset);
  bool isMisfitAt(uint64_t offset) {
    misfit_ = offset;
    blocks_.clear();
    return false;
  }

  std::vector<IndexedBlock> blocks_;
  size_t next_ = 0;
  std::optional<uint64_t> misfit_;
};

} // namespace warpo

#endif
