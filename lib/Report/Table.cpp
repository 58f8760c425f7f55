//===- Table.cpp ----------------------------------------------------------===//

#include "warpo/Report/Table.h"
#include "llvm/ADT/STLExtras.h"

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

// Whether `a` comes before `b`.
static bool comesBefore(const Cell &a, const Cell &b) {
  bool hasA = a.index() != 0, hasB = b.index() != 0;
  if (!hasA || !hasB)
    return hasA && !hasB;
  if (const auto *text = std::get_if<std::string>(&a))
    return *text < std::get<std::string>(b);
  return b < a;
}

void warpo::sortRows(Table &table, size_t column) {
  llvm::stable_sort(table.rows, [&](const Row &a, const Row &b) {
    return comesBefore(a.cells[column], b.cells[column]);
  });
}
