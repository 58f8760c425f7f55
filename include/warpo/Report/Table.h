//===- Table.h - What a report says, before it is written -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_REPORT_TABLE_H
#define WARPO_REPORT_TABLE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warpo {

enum class CellKind : uint8_t {
  text,
  /// A number of things.
  count,
  /// A sum in the column's unit.
  weight,
  /// A part of a whole, from 0 to 1.
  share,
  /// A weight divided by another, in the column's unit per unit of the other; may be infinite.
  ratio,
  /// A signed weight: added or removed.
  change,
  /// A signed share.
  shareChange,
};

struct Column {
  /// For machine-readable formats and --sort: `self`.
  std::string name;
  CellKind kind = CellKind::text;
  /// For weights, changes and ratios: `ns`, `ticks`, `calls`.
  std::string unit = {};
  /// Where a line lacks room, columns with the highest number are dropped first; 0: never.
  unsigned dispensability = 0;
  /// Whether Row::details already shows it in a terminal.
  bool isInDetails = false;
};

/// Nothing if the value is unknown.
using Cell = std::variant<std::monostate, uint64_t, int64_t, double, std::string>;

/// What to keep of a row's last cell if a line has no room for all of it.
enum class RowText : uint8_t {
  /// A function's name: keep its end.
  name,
  /// Functions, innermost first, separated by ` < `: keep the innermost.
  stack,
  /// Keep all of it, on several lines.
  sentence,
};

struct Row {
  std::vector<Cell> cells;
  /// In a tree; 0 for the outermost rows.
  unsigned depth = 0;
  /// Texts to show below the row; not in machine-readable formats.
  std::vector<std::string> details = {};
  RowText text = RowText::name;
};

/// Rows of equal length. The last column gets the remaining room, and is indented in a
/// tree.
struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<Row> rows;
  bool isTree = false;
  /// Sentences below the table.
  std::vector<std::string> notes = {};

  std::optional<size_t> findColumn(llvm::StringRef name) const;
  /// Always shows this column.
  void require(llvm::StringRef name);
  void eraseColumns(size_t first, size_t count);
};

/// Sorts stably.
void sortRows(Table &table, llvm::function_ref<bool(const Row &, const Row &)> comesBefore);
/// Numbers in descending order, texts in ascending order, unknown values last.
void sortRows(Table &table, size_t column);

} // namespace warpo

#endif
