//===- LateColumns.h - Columns that a record declares late ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_LATECOLUMNS_H
#define WARPO_RECORD_LATECOLUMNS_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/Errors.h"

namespace warpo {

/// For outputs that name all columns at their start: what they leave out of a record that declares
/// further ones later. Tools know these ahead, but not of a pipe.
class LateColumns {
public:
  /// `header` must outlive this.
  explicit LateColumns(const RecordHeader &header)
      : header_(header), known_(ColumnIndex(header.columns().size())) {}

  /// The number of columns that were known at the start.
  ColumnIndex known() const { return known_; }
  /// Counts those of `entries` entries.
  void add(const CountColumns &counts, size_t entries) {
    if (!counts.empty() && std::prev(counts.end())->index >= known_)
      entries_ += entries;
  }
  /// `the fuel of 3 entries`; empty if nothing was left out.
  std::string words() const {
    return entries_ == 0 ? ""
                         : "the " + namesOf(header_.columns().drop_front(known_)) + " of " +
                               countOf(entries_, "entry", "entries");
  }

private:
  const RecordHeader &header_;
  ColumnIndex known_;
  uint64_t entries_ = 0;
};

} // namespace warpo

#endif
