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
  /// A weight in relation to another one, in the column's unit for one of that; may be infinite.
  ratio,
  /// A weight with its sign: what was added, or taken away.
  change,
  /// A share with its sign.
  shareChange,
};

struct Column {
  /// For programs and --sort: `self`.
  std::string name;
  CellKind kind = CellKind::text;
  /// Of weights, changes and ratios: `ns`, `ticks`, `calls`.
  std::string unit = {};
  /// Columns of a high number are left out first where a line has no room for all; 0: never.
  unsigned dispensability = 0;
  /// Whether Row::details say it to people who read lines of a terminal.
  bool isInDetails = false;
};

/// Nothing where a value is not known.
using Cell = std::variant<std::monostate, uint64_t, int64_t, double, std::string>;

/// What is left of a row's last cell where a line has no room for all of it.
enum class RowText : uint8_t {
  /// The name of a function: its end.
  name,
  /// Functions, innermost first, with ` < ` between them: the innermost.
  stack,
  /// All of it, on several lines.
  sentence,
};

struct Row {
  std::vector<Cell> cells;
  /// Of a row in a tree; the outermost have 0.
  unsigned depth = 0;
  /// For people: texts below the row.
  std::vector<std::string> details = {};
  RowText text = RowText::name;
};

/// Rows of equal length. The last column is the one that gets what room is left, and is indented in
/// a tree.
struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<Row> rows;
  bool isTree = false;
  /// Sentences below the table.
  std::vector<std::string> notes = {};

  std::optional<size_t> findColumn(llvm::StringRef name) const;
  /// Makes a column one that is always shown.
  void require(llvm::StringRef name);
  void eraseColumns(size_t first, size_t count);
};

/// Equal rows stay in their order.
void sortRows(Table &table, llvm::function_ref<bool(const Row &, const Row &)> comesBefore);
/// Numbers largest first, texts in their order, nothing last.
void sortRows(Table &table, size_t column);

} // namespace warpo

#endif
