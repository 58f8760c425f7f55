//===- TableColumns.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TableColumns.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

void TableColumns::Column::clear() {
  integers_.clear();
  present_.clear();
  texts_.clear();
  lengths_.clear();
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
  // Where files are read together, it is null in those without the label: ClickHouse makes that of
  // optional columns alone.
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

Error TableColumns::writeGroup(size_t rows) {
  if (rows == 0)
    return Error::success();
  for (const Label &label : labels_)
    label.column->texts_.assign(rows, label.text);
  std::vector<ParquetValues> values;
  for (const Column &column : columns_)
    values.push_back(column.values());
  if (Error error = writer_->writeGroup(rows, values))
    return error;
  for (Column &column : columns_)
    column.clear();
  return Error::success();
}
