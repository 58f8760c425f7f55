//===- Measure.h - What a record counts -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A record counts one measure or more: time, fuel, or whatever its clocks are called. The first is
// what the times of its entries are; each further one is a column beside them. Nothing behind the
// record formats knows a measure by its name but for what is special about time.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_MEASURE_H
#define WARPO_RECORD_MEASURE_H

#include "warpo/Record/TimeScale.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>

namespace warpo {

struct Measure {
  /// What weights, options and outputs call it: `time`, `fuel`.
  std::string name = "time";
  /// What one count is, in the plural: `ticks` of a time; of a count the name of its clock, which
  /// may say how it counts, as in `fuel:<costs>`.
  std::string unit = "ticks";
  /// How long a count of time is, where that is known.
  std::optional<TimeScale> scale = {};

  /// What record formats call it.
  static constexpr llvm::StringLiteral timeClock = "time";

  /// The measure of a clock that a record calls `clock`: `<name>`, or `<name>:<how it counts>`. The
  /// name is of letters, digits, `-` and `_`, and none that weights of other things have.
  static std::optional<Measure> ofClock(llvm::StringRef clock);
  llvm::StringRef clock() const { return isTime() ? llvm::StringRef(name) : unit; }

  bool isTime() const { return name == timeClock; }
  /// What numbers are shown in: time with a scale in `ns`.
  llvm::StringRef shownUnit() const { return scale ? llvm::StringRef("ns") : unit; }
  uint64_t shown(uint64_t counts) const { return scale ? scale->toNanoseconds(counts) : counts; }
};

/// `fuel`, `fuel and bytes`: for messages.
std::string namesOf(llvm::ArrayRef<Measure> measures);

/// An index into RecordHeader::measures. Column c holds measure c + 1.
using MeasureIndex = uint32_t;
using ColumnIndex = uint32_t;
inline constexpr ColumnIndex maxColumns = 4;
inline constexpr MeasureIndex maxMeasures = maxColumns + 1;

/// One number for each column.
using Counts = std::array<uint64_t, maxColumns>;
inline constexpr Counts noCounts = {};
/// In each column the larger one.
inline Counts maxOf(const Counts &a, const Counts &b) {
  Counts larger;
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    larger[column] = std::max(a[column], b[column]);
  return larger;
}

/// The columns that a batch has, of equal length: what each measure stood at, at each entry or
/// event. The others are unknown there, and stay as they were.
class CountColumns {
public:
  struct Column {
    ColumnIndex index;
    const uint64_t *values;
  };

  CountColumns() = default;
  /// Column 0 alone; none if it is empty.
  CountColumns(llvm::ArrayRef<uint64_t> first) { add(0, first); }

  /// Columns come in the order of their indices. One without numbers is left out.
  void add(ColumnIndex index, llvm::ArrayRef<uint64_t> values) {
    if (values.empty())
      return;
    assert(count_ == 0 || (index > columns_[count_ - 1].index && values.size() == size_));
    columns_[count_++] = {index, values.data()};
    size_ = values.size();
  }

  /// How many columns there are.
  size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Column *begin() const { return columns_.data(); }
  const Column *end() const { return columns_.data() + count_; }
  /// Empty if there is no such column.
  llvm::ArrayRef<uint64_t> operator[](ColumnIndex index) const {
    for (const Column &column : *this)
      if (column.index == index)
        return {column.values, size_};
    return {};
  }

  /// The numbers of row `row`; of columns that are not there, those of `others`.
  Counts at(size_t row, const Counts &others = noCounts) const {
    Counts counts = others;
    update(counts, row);
    return counts;
  }
  /// The same in place.
  void update(Counts &counts, size_t row) const {
    for (const Column &column : *this)
      counts[column.index] = column.values[row];
  }
  CountColumns slice(size_t first, size_t size) const {
    CountColumns part = *this;
    for (size_t i = 0; i < count_; ++i)
      part.columns_[i].values += first;
    part.size_ = size;
    return part;
  }

private:
  std::array<Column, maxColumns> columns_ = {};
  size_t count_ = 0;
  size_t size_ = 0;
};

/// A set of columns, quick to go through where it is empty.
class ColumnSet {
public:
  ColumnSet() = default;
  explicit ColumnSet(const CountColumns &columns) {
    for (const CountColumns::Column &column : columns)
      insert(column.index);
  }

  bool contains(ColumnIndex index) const { return (bits_ >> index & 1) != 0; }
  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }
  /// False if it was in the set.
  bool insert(ColumnIndex index) {
    if (contains(index))
      return false;
    bits_ |= 1u << index;
    indices_[count_++] = index;
    return true;
  }
  /// In the order in which they were inserted.
  const ColumnIndex *begin() const { return indices_.data(); }
  const ColumnIndex *end() const { return indices_.data() + count_; }

private:
  std::array<ColumnIndex, maxColumns> indices_ = {};
  uint32_t count_ = 0;
  uint32_t bits_ = 0;
};

} // namespace warpo

#endif
