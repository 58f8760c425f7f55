//===- AnnouncedCounts.h - The contents of blocks `counts` ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_ANNOUNCEDCOUNTS_H
#define WARPO_LIB_RECORD_WARPO_ANNOUNCEDCOUNTS_H

#include "warpo/Record/Measure.h"
#include "warpo/Support/ByteCursor.h"
#include <map>
#include <vector>

namespace warpo {

/// The contents of blocks `counts`, for the samples in the next block of samples.
class AnnouncedCounts {
public:
  /// Keeps the numbers at `cursor` for a stream's samples from `base` on, replacing those of the
  /// same column. Drops numbers for other samples.
  void add(uint64_t stream, uint64_t base, ColumnIndex column, ByteCursor &cursor);
  /// Begins a block of samples, and drops numbers for other samples.
  void begin(uint64_t stream, uint64_t base);
  void clear() { columns_.clear(); }
  /// Gets the numbers of the next sample; false if there are none.
  bool take(Counts &counts);
  /// Whether all numbers have been taken.
  bool atEnd() const;

private:
  struct Column {
    /// Still encoded, as a block may have millions.
    std::vector<uint8_t> numbers;
    size_t at = 0;
  };

  uint64_t stream_ = 0, base_ = 0;
  std::map<ColumnIndex, Column> columns_;
};

} // namespace warpo

#endif
