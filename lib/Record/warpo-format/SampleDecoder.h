//===- SampleDecoder.h - The stacks and samples of a record ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_SAMPLEDECODER_H
#define WARPO_LIB_RECORD_WARPO_SAMPLEDECODER_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Support/ByteCursor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <unordered_map>

namespace warpo {

/// What samples count beside the time.
inline constexpr llvm::StringLiteral sampleMeasure = WARPO_FUEL_CLOCK;

/// The measure that decided when samples were due, by its number in the format.
inline constexpr llvm::StringLiteral samplingMeasures[] = {"", sampleMeasure, Measure::timeClock};
inline std::optional<llvm::StringRef> sampledByOf(uint64_t number) {
  return number < std::size(samplingMeasures)
             ? std::optional<llvm::StringRef>(samplingMeasures[number])
             : std::nullopt;
}

/// What blocks `counts` say of the samples in the next block of those.
class AnnouncedCounts {
public:
  /// Keeps the numbers that `cursor` stands at, of the samples of a stream from `base` on, in place
  /// of those that the column had. Drops what is of other samples.
  void add(uint64_t stream, uint64_t base, ColumnIndex column, ByteCursor &cursor);
  /// Begins a block of samples, and drops what is of others.
  void begin(uint64_t stream, uint64_t base);
  void clear() { columns_.clear(); }
  /// Those of the next sample; false if there are none.
  bool take(Counts &counts);
  /// Whether all have been taken.
  bool atEnd() const;

private:
  struct Column {
    /// As they stand in the block: it may have millions.
    std::vector<uint8_t> numbers;
    size_t at = 0;
  };

  uint64_t stream_ = 0, base_ = 0;
  std::map<ColumnIndex, Column> columns_;
};

/// Unpacks blocks of samples, batch after batch, as docs/record-format.md says. One for all blocks
/// of a record, whose stacks it knows by their numbers there.
class SampleDecoder {
public:
  /// The node called `number` in the record is `stack`. False if there is one already.
  bool addStack(uint64_t number, uint32_t stack) {
    return stackOfNumber_.try_emplace(number, stack).second;
  }
  /// Nothing if no such node was declared.
  std::optional<uint32_t> find(uint64_t number) const {
    auto known = stackOfNumber_.find(number);
    return known == stackOfNumber_.end() ? std::nullopt : std::optional(known->second);
  }

  /// Its streams have the numbers that they have in the record.
  AnnouncedCounts &counts() { return counts_; }

  /// Begins a block at its first sample, which `cursor` stands at.
  void begin(const ByteCursor &cursor, uint64_t base) {
    at_ = cursor.position();
    end_ = at_ + cursor.remaining();
    time_ = base;
  }
  /// Appends samples to `columns` until they are full or the block is at its end. False if the rest
  /// of the block makes no sense, or has not as many samples as counts(); what was appended is
  /// good. `findColumn` is asked for the column of what samples count themselves, if there is one,
  /// where they count something.
  bool decode(RecordColumns &columns, llvm::function_ref<std::optional<ColumnIndex>()> findColumn);

  bool atEnd() const { return at_ == end_; }
  uint64_t lastTime() const { return time_; }
  /// Of the first byte that has not been decoded.
  const uint8_t *position() const { return at_; }

private:
  std::unordered_map<uint64_t, uint32_t> stackOfNumber_{{0, 0}};
  AnnouncedCounts counts_;
  const uint8_t *at_ = nullptr;
  const uint8_t *end_ = nullptr;
  uint64_t time_ = 0;
};

} // namespace warpo

#endif
