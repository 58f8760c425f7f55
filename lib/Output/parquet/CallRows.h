//===- CallRows.h - Calls as rows that are complete when they end ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PARQUET_CALLROWS_H
#define WARPO_OUTPUT_PARQUET_CALLROWS_H

#include "PathId.h"
#include "warpo/Record/Measure.h"
#include "warpo/Slice/Event.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace warpo {

struct CallRow {
  static constexpr int64_t isOpen = -1;

  PathId path;
  int64_t start;
  /// isOpen until the call ends.
  int64_t duration;
  /// Without callees.
  int64_t self;
  StreamIndex stream;
  /// Numbers of a TextPool.
  uint32_t function;
  uint32_t caller;
  uint32_t depth;
};

/// What a call spent of each of a record's columns.
struct CallCounts {
  /// A bit for each column that is known of the call.
  uint8_t known = 0;
  Counts total = {};
  Counts self = {};
};

/// A call gets its row when it begins, so that rows are in the order in which calls began. Those of
/// calls that have ended are taken out in groups; the others stay. So memory holds a group and the
/// open calls.
class CallRows {
public:
  explicit CallRows(bool hasCounts) : hasCounts_(hasCounts) {}

  /// Returns the row's index, good until takeEnded().
  size_t add(const CallRow &row) {
    rows_.push_back(row);
    if (hasCounts_)
      counts_.emplace_back();
    return rows_.size() - 1;
  }
  CallRow &operator[](size_t row) { return rows_[row]; }
  CallCounts &counts(size_t row) { return counts_[row]; }

  /// Calls `take` with each row that has ended, in order, and its counts, null if there are none;
  /// drops these rows. Returns of each row that there was its index now, if it is still there.
  std::vector<size_t> takeEnded(llvm::function_ref<void(const CallRow &, const CallCounts *)> take);

private:
  bool hasCounts_;
  std::vector<CallRow> rows_;
  /// One for each row, or none.
  std::vector<CallCounts> counts_;
};

} // namespace warpo

#endif
