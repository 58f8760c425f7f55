//===- CallBlocks.h - Limits the number of calls of a timeline ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Keeps every call while there are few. Beyond a limit, short calls are merged into blocks: a block
// stands for calls of one caller with short gaps between them, and has their number; their callees
// are dropped. The threshold for short calls grows until the rest fits.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_TIMELINE_CALLBLOCKS_H
#define WARPO_OUTPUT_TIMELINE_CALLBLOCKS_H

#include "warpo/Output/TimelineBackend.h"
#include <vector>

namespace warpo {

/// A call, or several adjacent calls of one caller.
struct CallBlock {
  /// Function of a block with calls of several functions.
  static constexpr FunctionIndex mixed = noFunction - 2;

  uint64_t start = 0;
  uint64_t end = 0;
  /// The first call's number in the order of begins on the stream, from 1 on.
  uint64_t number = 0;
  /// The number of the calling call; 0: none.
  uint64_t caller = 0;
  /// The number of merged calls.
  uint64_t calls = 1;
  /// Sums over the calls: their duration (the block's without the gaps), their self time, and the
  /// time for which the stack was suspended.
  uint64_t spent = 0;
  uint64_t self = 0;
  uint64_t suspended = 0;
  /// 1 for the outermost calls.
  uint32_t depth = 0;
  FunctionIndex function = 0;
  /// Whether calls within it were dropped.
  bool hides = false;
  /// Whether it is a lost range, or one within it was dropped.
  bool lost = false;

  uint64_t duration() const { return end - start; }
};

class CallBlocks {
public:
  /// Never holds more than twice `limit` blocks; `limit` is above 0.
  explicit CallBlocks(size_t limit) : limit_(limit) {}

  /// Adds a call that has ended, after all calls within it. Sets `spent` to its duration.
  void add(StreamIndex stream, const CallBlock &call);
  /// Reduces the number of blocks to at most `limit`, and at least by one unless there is only one.
  void coarsen();
  /// Reduces the number of blocks to at most `limit` and sorts them by their numbers.
  void finish();

  /// Calls shorter than this may have been merged; 0: every call is kept.
  uint64_t shortest() const { return shortest_; }
  /// Adds a note with the reason `why` if calls have been merged.
  void addNote(TimelineSummary &summary, llvm::StringRef unit, llvm::StringRef why) const;
  /// Number of calls added, over all streams.
  uint64_t added() const { return added_; }
  size_t size() const { return size_; }
  /// By stream. After finish(), each block comes after the one around it.
  const std::vector<std::vector<CallBlock>> &streams() const { return streams_; }

private:
  void merge();
  std::vector<CallBlock> mergeStream(std::vector<CallBlock> blocks) const;

  size_t limit_;
  size_t size_ = 0;
  uint64_t added_ = 0;
  uint64_t shortest_ = 0;
  std::vector<std::vector<CallBlock>> streams_;
};

} // namespace warpo

#endif
