//===- BlockSelection.h - The blocks that a window of time needs ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_BLOCKSELECTION_H
#define WARPO_LIB_RECORD_WARPO_BLOCKSELECTION_H

#include "BlockReader.h"
#include <vector>

namespace warpo {

/// A block of events, as described by the index.
struct IndexedBlock {
  uint64_t offset = 0;
  /// Includes the header.
  uint64_t size = 0;
  /// The stream's number in the record.
  uint64_t stream = 0;
  uint64_t first = 0;
  uint64_t last = 0;
  /// Not needed: it precedes the window, and so do all events that depend on it.
  bool isBefore = false;
  /// The first block of its stream to read, although others precede it: its context is complete.
  bool isStart = false;
};

/// Decides which blocks of events may be skipped when only events from some time on are needed. A
/// stream then begins with the last block that begins before that time and has all open calls in
/// its context.
class BlockSelection {
public:
  /// Needs every block.
  BlockSelection() = default;

  /// Reads the index at the end of a record; empty() if there is none that can be used. Skips
  /// nothing yet. Moves `input`, which must be seekable. Believes the index only what cannot be
  /// seen without reading all events: times, and the streams of compressed blocks.
  static llvm::Expected<BlockSelection> create(InputStream &input);
  /// Skips blocks before `from` that are not needed for later events; becomes empty() if it finds
  /// that the index does not match. `input` is the same as for create().
  llvm::Error leaveOutBefore(uint64_t from, InputStream &input);

  bool empty() const { return blocks_.empty(); }
  /// The time of the earliest event, which need not be in the first block; nothing if empty().
  std::optional<uint64_t> earliest() const;
  /// The offset at which the index does not match the record's blocks, if so.
  std::optional<uint64_t> misfit() const { return misfit_; }
  /// The block of events at this offset, or null. Offsets must not decrease from call to call.
  const IndexedBlock *find(uint64_t offset);

private:
  /// False if the index does not match.
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
