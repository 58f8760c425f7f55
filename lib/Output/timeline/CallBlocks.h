//===- CallBlocks.h - The calls of a timeline, as fine as there is room ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Keeps every call as long as they are few. Then short ones become blocks: calls of one caller with
// hardly anything between them are one block, which says how many they are; what they called is
// gone. What counts as short grows until the rest fits.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_TIMELINE_CALLBLOCKS_H
#define WARPO_OUTPUT_TIMELINE_CALLBLOCKS_H

#include "warpo/Output/TimelineBackend.h"
#include <vector>

namespace warpo {

/// A call, or neighbouring calls of one caller.
struct CallBlock {
  /// Of calls of several functions.
  static constexpr FunctionIndex mixed = noFunction - 2;

  uint64_t start = 0;
  uint64_t end = 0;
  /// In the order of the begins of a stream, from 1: of the first call.
  uint64_t number = 0;
  /// The number of the call around; 0: none.
  uint64_t caller = 0;
  /// How many neighbours.
  uint64_t calls = 1;
  /// Of its duration, what is not between the calls; of that, what was spent in no call below, and
  /// what the stack was suspended. Sums of the calls.
  uint64_t spent = 0;
  uint64_t self = 0;
  uint64_t suspended = 0;
  /// The outermost calls are at 1.
  uint32_t depth = 0;
  FunctionIndex function = 0;
  /// Whether there are calls in it that are not kept.
  bool hides = false;
  /// Whether it is a lost range, or has one in it that is not kept.
  bool lost = false;

  uint64_t duration() const { return end - start; }
};

class CallBlocks {
public:
  /// Never keeps more than twice `limit` blocks, which is above 0.
  explicit CallBlocks(size_t limit) : limit_(limit) {}

  /// A call that has ended, after all those in it. What was spent in it is its duration.
  void add(StreamIndex stream, const CallBlock &call);
  /// Keeps less: at most `limit` blocks, and fewer than now unless there is only one.
  void coarsen();
  /// Keeps at most `limit` blocks, in the order of their numbers.
  void finish();

  /// Shorter calls may be in blocks; 0: each call is kept.
  uint64_t shortest() const { return shortest_; }
  /// Says so, and `why`, if not each call is kept.
  void addNote(TimelineSummary &summary, llvm::StringRef unit, llvm::StringRef why) const;
  /// Of all streams.
  uint64_t added() const { return added_; }
  size_t size() const { return size_; }
  /// By stream. After finish(), each block comes after the one that it lies in.
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
