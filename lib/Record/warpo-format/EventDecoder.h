//===- EventDecoder.h - The events of a block -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_EVENTDECODER_H
#define WARPO_LIB_RECORD_WARPO_EVENTDECODER_H

#include "warpo/Record/RecordBatch.h"
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Support/ByteCursor.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

namespace warpo {

/// The further clocks of a block's events.
struct BlockClocks {
  struct Clock {
    uint64_t number;
    /// Nothing for a clock that is passed over.
    std::optional<ColumnIndex> column;
  };
  llvm::SmallVector<Clock, 2> clocks;
  ColumnSet columns;
  /// Where they begin.
  Counts bases = {};
  /// What the stream's clocks stood at before: no event gets less.
  Counts before = {};

  /// Whether all of them is one that has a column.
  bool isOneColumn() const { return clocks.size() == 1 && clocks.front().column; }
};

/// Unpacks a block of events, batch after batch, as docs/record-format.md says. One for all blocks
/// of a record.
class EventDecoder {
public:
  EventDecoder();

  /// Begins a block at its context, which `cursor` stands at. False if the context is cut off.
  bool begin(ByteCursor &cursor, uint64_t base, const BlockClocks &clocks);

  /// Appends the calls of the context of the block that has just begun, as begins at its start.
  void addContext(RecordColumns &columns) const;

  /// Appends entries to `columns` until they are full, the block is at its end, or a batch is due
  /// though they are not full. False, with problem(), if the rest of the block makes no sense; what
  /// was appended is good.
  bool decode(RecordColumns &columns);

  bool atEnd() const { return at_ == end_; }
  uint64_t lastTime() const { return time_; }
  Counts lastCounts() const;
  /// Of the first byte that has not been decoded, from the start of the payload's events.
  const uint8_t *position() const { return at_; }
  llvm::StringRef problem() const { return problem_; }
  /// Places in the block of the entries of the last decode() cost too much to keep; of its first
  /// one:
  const uint8_t *batchBegin() const { return batchBegin_; }

private:
  /// In bytes of the block.
  static constexpr size_t maxBatchSize = 1 << 20;

  /// Decodes at most so many events of the common forms into times_ and ids_; returns how many.
  size_t decodeFast(size_t most);
  /// The same, of a block with one further clock, which has a column: into counted_ too.
  size_t decodeFastCounted(size_t most);
  void skipUnknownSpecials();
  bool decodeSlowly(RecordColumns &columns);
  bool decodeSpecial(ByteCursor &cursor, RecordColumns &columns);
  /// Reads the further clocks of an event. False if one goes beyond 64 bits.
  bool readClocks(ByteCursor &cursor);
  ColumnIndex columnOf(uint64_t clockNumber) const;
  void append(RecordColumns &columns, int32_t id);
  void push(uint32_t code);
  bool fail(llvm::StringRef problem) {
    problem_ = problem;
    return false;
  }

  const uint8_t *at_ = nullptr;
  const uint8_t *end_ = nullptr;
  const uint8_t *batchBegin_ = nullptr;
  uint64_t time_ = 0;
  BlockClocks clocks_;
  Counts counts_ = {};
  /// The columns that are noted to have begun below BlockClocks::before.
  ColumnSet wentBack_;
  /// The functions of the known calls, as codes, outermost first; in front of them a 0, which is
  /// no function's, so that a look at the innermost call is always good.
  std::vector<uint32_t> calls_;
  size_t depth_ = 0;
  /// Where these leave what they find: the columns, as vectors, would be filled with zeros
  /// before.
  std::array<uint64_t, RecordColumns::capacity> times_;
  std::array<int32_t, RecordColumns::capacity> ids_;
  std::array<uint64_t, RecordColumns::capacity> counted_;
  llvm::StringRef problem_;
};

} // namespace warpo

#endif
