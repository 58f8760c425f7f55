//===- TableColumns.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TableColumns.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

/// Removes the elements at these positions and returns them; none if the vector is unused.
template <typename T>
static std::vector<T> takeOutOf(std::vector<T> &values, ArrayRef<size_t> places) {
  std::vector<T> taken;
  if (values.empty() || places.empty())
    return taken;
  auto to = values.begin() + ptrdiff_t(places.front());
  for (size_t i = 0; i < places.size(); ++i) {
    taken.push_back(values[places[i]]);
    size_t end = i + 1 < places.size() ? places[i + 1] : values.size();
    to = std::copy(values.begin() + ptrdiff_t(places[i]) + 1, values.begin() + ptrdiff_t(end), to);
  }
  values.erase(to, values.end());
  return taken;
}

TableColumns::Column TableColumns::Column::takeOut(ArrayRef<size_t> rows) {
  Column taken(isOptional_);
  taken.integers_ = takeOutOf(integers_, rows);
  taken.present_ = takeOutOf(present_, rows);
  taken.texts_ = takeOutOf(texts_, rows);
  return taken;
}

void TableColumns::Column::become(const Column &other) {
  // Keeps the capacity for the next group.
  integers_.assign(other.integers_.begin(), other.integers_.end());
  present_.assign(other.present_.begin(), other.present_.end());
  texts_.assign(other.texts_.begin(), other.texts_.end());
  lengths_.assign(other.lengths_.begin(), other.lengths_.end());
}

TableColumns::Column &TableColumns::addColumn(ParquetColumn column) {
  column.name = displayName(column.name);
  std::string name = column.name;
  for (size_t number = 2; !names_.insert(StringRef(column.name).lower()).second; ++number)
    column.name = name + "_" + std::to_string(number);
  columns_.push_back(Column(column.isOptional));
  described_.push_back(std::move(column));
  return columns_.back();
}

bool TableColumns::addLabel(const OutputLabel &label) {
  if (names_.contains(StringRef(displayName(label.key)).lower()))
    return false;
  // When files are read together, the column is null for files without the label; ClickHouse needs
  // it to be optional for that.
  Column &column =
      addColumn({.name = label.key, .type = ParquetColumn::Type::text, .isOptional = true});
  labels_.push_back({&column, texts_.idOf(displayName(label.value))});
  return true;
}

Error TableColumns::begin(ArrayRef<OutputLabel> labels, raw_ostream &os) {
  for (const OutputLabel &label : labels)
    if (!addLabel(label))
      return makeError("--label=" + label.key + "=…: the table has a column of this name");
  writer_.emplace(described_, texts_, os);
  return Error::success();
}

Error TableColumns::writeGroup(size_t rows, ArrayRef<size_t> open) {
  rows -= open.size();
  if (rows == 0)
    return Error::success();
  std::vector<Column> others;
  for (Column &column : columns_)
    others.push_back(column.takeOut(open));
  for (const Label &label : labels_)
    label.column->texts_.assign(rows, label.text);
  std::vector<ParquetValues> values;
  for (const Column &column : columns_)
    values.push_back(column.values());
  if (Error error = writer_->writeGroup(rows, values))
    return error;
  for (auto [column, other] : zip(columns_, others))
    column.become(other);
  return Error::success();
}
