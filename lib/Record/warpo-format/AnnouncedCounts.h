//===- AnnouncedCounts.h - What blocks `counts` say of samples ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_ANNOUNCEDCOUNTS_H
#define WARPO_LIB_RECORD_WARPO_ANNOUNCEDCOUNTS_H

#include "warpo/Record/Measure.h"
#include "warpo/Support/ByteCursor.h"
#include <map>
#include <vector>

namespace warpo {

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

} // namespace warpo

#endif
