//===- Measure.h - What a record counts -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A record counts one or more measures: time, fuel, or others named after its clocks. The first is
// that of the entries' times; each further one is a column beside them. Beyond the record formats,
// only what is special about time depends on a measure's name.
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
  /// The name in weights, options and outputs: `time`, `fuel`.
  std::string name = "time";
  /// What one count is, in the plural: `ticks` for time; for others the name of the clock, which
  /// may include how it counts, as in `fuel:<costs>`.
  std::string unit = "ticks";
  /// The length of a count of time, if known.
  std::optional<TimeScale> scale = {};

  /// The name of time in record formats.
  static constexpr llvm::StringLiteral timeClock = "time";

  /// The measure of a clock that a record names `<name>` or `<name>:<how it counts>`. Names consist
  /// of letters, digits, `-` and `_`, without those of other weights.
  static std::optional<Measure> ofClock(llvm::StringRef clock);
  llvm::StringRef clock() const { return isTime() ? llvm::StringRef(name) : unit; }

  bool isTime() const { return name == timeClock; }
  /// The unit in which numbers are shown: `ns` for time with a scale.
  llvm::StringRef shownUnit() const { return scale ? llvm::StringRef("ns") : unit; }
  uint64_t shown(uint64_t counts) const { return scale ? scale->toNanoseconds(counts) : counts; }
};

/// For messages: `fuel`, `fuel and bytes`.
std::string namesOf(llvm::ArrayRef<Measure> measures);

/// An index into RecordHeader::measures. Column c holds measure c + 1.
using MeasureIndex = uint32_t;
using ColumnIndex = uint32_t;
inline constexpr ColumnIndex maxColumns = 4;
inline constexpr MeasureIndex maxMeasures = maxColumns + 1;

/// One number for each column.
using Counts = std::array<uint64_t, maxColumns>;
inline constexpr Counts noCounts = {};
/// The maximum by column.
inline Counts maxOf(const Counts &a, const Counts &b) {
  Counts larger;
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    larger[column] = std::max(a[column], b[column]);
  return larger;
}

/// The columns of a batch, of equal length: the count of each measure at each entry or event.
/// Measures without a column here have not changed.
class CountColumns {
public:
  struct Column {
    ColumnIndex index;
    const uint64_t *values;
  };

  CountColumns() = default;
  /// Column 0 alone; none if it is empty.
  CountColumns(llvm::ArrayRef<uint64_t> first) { add(0, first); }

  /// To be called in the order of the indices. A column without numbers is left out.
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
  /// Empty without such a column.
  llvm::ArrayRef<uint64_t> operator[](ColumnIndex index) const {
    for (const Column &column : *this)
      if (column.index == index)
        return {column.values, size_};
    return {};
  }

  /// The numbers of a row; for missing columns, those of `others`.
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

/// A set of columns, fast to iterate if empty.
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
  /// False if it was already in the set.
  bool insert(ColumnIndex index) {
    if (contains(index))
      return false;
    bits_ |= 1u << index;
    indices_[count_++] = index;
    return true;
  }
  /// In the order of insertion.
  const ColumnIndex *begin() const { return indices_.data(); }
  const ColumnIndex *end() const { return indices_.data() + count_; }

private:
  std::array<ColumnIndex, maxColumns> indices_ = {};
  uint32_t count_ = 0;
  uint32_t bits_ = 0;
};

} // namespace warpo

#endif
