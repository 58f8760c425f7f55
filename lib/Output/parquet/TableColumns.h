//===- TableColumns.h - The columns of a table under construction ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PARQUET_TABLECOLUMNS_H
#define WARPO_OUTPUT_PARQUET_TABLECOLUMNS_H

#include "warpo/Output/OutputOrigin.h"
#include "warpo/Parquet/ParquetWriter.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>
#include <deque>
#include <optional>

namespace warpo {

/// Saturates, as readers have no unsigned 64-bit numbers.
inline int64_t toSigned(uint64_t number) { return int64_t(std::min(number, uint64_t(INT64_MAX))); }

/// The current group of rows, column by column, and the file that it is written to. Add all
/// columns, then call begin(), then add one value per row to every column.
class TableColumns {
public:
  class Column {
  public:
    void add(int64_t value) {
      integers_.push_back(value);
      if (isOptional_)
        present_.push_back(1);
    }
    void addNothing() {
      integers_.push_back(0);
      present_.push_back(0);
    }
    /// Sets the value of a row that has been added and not yet written by writeGroup().
    void set(size_t row, int64_t value) {
      integers_[row] = value;
      if (isOptional_)
        present_[row] = 1;
    }
    /// `text` is an index into the pool, or TextPool::none.
    void addText(uint32_t text) { texts_.push_back(text); }
    void addList(llvm::ArrayRef<uint32_t> texts) {
      texts_.insert(texts_.end(), texts.begin(), texts.end());
      lengths_.push_back(uint32_t(texts.size()));
    }

  private:
    friend class TableColumns;
    explicit Column(bool isOptional) : isOptional_(isOptional) {}
    ParquetValues values() const { return {integers_, present_, texts_, lengths_}; }
    /// Removes these rows and returns them. Not for lists.
    Column takeOut(llvm::ArrayRef<size_t> rows);
    void become(const Column &other);

    bool isOptional_;
    std::vector<int64_t> integers_;
    std::vector<uint8_t> present_;
    std::vector<uint32_t> texts_;
    std::vector<uint32_t> lengths_;
  };

  TextPool &texts() { return texts_; }

  /// The reference is valid as long as the table. A name already in use gets a number appended;
  /// case is ignored, as many readers do.
  Column &addColumn(ParquetColumn column);
  /// Each label becomes a column with the same text in each row. Fails if its name is already in
  /// use.
  llvm::Error begin(llvm::ArrayRef<OutputLabel> labels, llvm::raw_ostream &os);
  /// Writes and drops the `rows` rows added so far, if any.
  llvm::Error writeGroup(size_t rows) { return writeGroup(rows, {}); }
  /// The same, except that the rows `open`, in ascending order, stay as the first rows of the next
  /// group.
  llvm::Error writeGroup(size_t rows, llvm::ArrayRef<size_t> open);
  void finish() { writer_->finish(); }

private:
  bool addLabel(const OutputLabel &label);

  struct Label {
    Column *column;
    uint32_t text;
  };

  TextPool texts_;
  std::vector<ParquetColumn> described_;
  llvm::StringSet<> names_;
  std::deque<Column> columns_;
  std::vector<Label> labels_;
  std::optional<ParquetWriter> writer_;
};

} // namespace warpo

#endif
