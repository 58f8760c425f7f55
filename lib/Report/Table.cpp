//===- Table.cpp ----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/Table.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;
using namespace warpo;

std::optional<size_t> Table::findColumn(StringRef name) const {
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == name)
      return i;
  return std::nullopt;
}

void Table::require(StringRef name) {
  if (std::optional<size_t> column = findColumn(name))
    columns[*column].dispensability = 0;
}

void Table::eraseColumns(size_t first, size_t count) {
  columns.erase(columns.begin() + first, columns.begin() + first + count);
  for (Row &row : rows)
    row.cells.erase(row.cells.begin() + first, row.cells.begin() + first + count);
}

static bool comesBefore(const Cell &a, const Cell &b) {
  bool hasA = a.index() != 0, hasB = b.index() != 0;
  if (!hasA || !hasB)
    return hasA && !hasB;
  if (const auto *text = std::get_if<std::string>(&a))
    return *text < std::get<std::string>(b);
  return b < a;
}

// Not std::stable_sort: libstdc++ allocates its buffer by a deprecated function.
void warpo::sortRows(Table &table, function_ref<bool(const Row &, const Row &)> comesBefore) {
  std::vector<size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t a, size_t b) {
    if (comesBefore(table.rows[a], table.rows[b]))
      return true;
    return a < b && !comesBefore(table.rows[b], table.rows[a]);
  });
  std::vector<Row> sorted;
  sorted.reserve(order.size());
  for (size_t row : order)
    sorted.push_back(std::move(table.rows[row]));
  table.rows = std::move(sorted);
}

void warpo::sortRows(Table &table, size_t column) {
  sortRows(table, [&](const Row &a, const Row &b) {
    return comesBefore(a.cells[column], b.cells[column]);
  });
}
