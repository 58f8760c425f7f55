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
    /// Nothing for an ignored clock.
    std::optional<ColumnIndex> column;
  };
  llvm::SmallVector<Clock, 2> clocks;
  ColumnSet columns;
  /// The values at the begin of the block.
  Counts bases = {};
  /// The previous values of the stream's clocks: values of events are never lower.
  Counts before = {};

  /// Whether there is one clock, and it has a column.
  bool isOneColumn() const { return clocks.size() == 1 && clocks.front().column; }
};

/// Decodes blocks of events (docs/record-format.md), batch by batch. One object for all blocks of a
/// record.
class EventDecoder {
public:
  EventDecoder();

  /// Begins a block; `cursor` is at its context. False if the context is truncated.
  bool begin(ByteCursor &cursor, uint64_t base, const BlockClocks &clocks);

  /// Appends begins for the calls in the context of the block that has just begun.
  void addContext(RecordColumns &columns) const;

  /// Appends entries to `columns` until these are full, the block ends, or a batch is due for
  /// another reason. False, with problem(), if the rest of the block is invalid; appended entries
  /// are valid.
  bool decode(RecordColumns &columns);

  bool atEnd() const { return at_ == end_; }
  uint64_t lastTime() const { return time_; }
  Counts lastCounts() const;
  /// The first byte that has not been decoded.
  const uint8_t *position() const { return at_; }
  llvm::StringRef problem() const { return problem_; }
  /// The position of the first entry of the last decode(). Keeping those of all entries would be
  /// too expensive.
  const uint8_t *batchBegin() const { return batchBegin_; }

private:
  /// In encoded bytes.
  static constexpr size_t maxBatchSize = 1 << 20;

  /// Decodes at most `most` events in the common forms into times_ and ids_; returns how many.
  size_t decodeFast(size_t most);
  /// The same for a block with one further clock, which has a column: also fills counted_.
  size_t decodeFastCounted(size_t most);
  void skipUnknownSpecials();
  bool decodeSlowly(RecordColumns &columns);
  bool decodeSpecial(ByteCursor &cursor, RecordColumns &columns);
  /// Reads the further clocks of an event. False if one exceeds 64 bits.
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
  /// The columns for which a begin below BlockClocks::before has been noted.
  ColumnSet wentBack_;
  /// The functions of the known calls, as codes, outermost first; preceded by 0, which is no
  /// function's code, so that there is always an innermost element.
  std::vector<uint32_t> calls_;
  size_t depth_ = 0;
  /// Buffers of the fast decoders: columns are vectors, which would be filled with zeros first.
  std::array<uint64_t, RecordColumns::capacity> times_;
  std::array<int32_t, RecordColumns::capacity> ids_;
  std::array<uint64_t, RecordColumns::capacity> counted_;
  llvm::StringRef problem_;
};

} // namespace warpo

#endif
