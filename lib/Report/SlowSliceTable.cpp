//===- SlowSliceTable.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ContextSums.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Report/Reports.h"
#include "warpo/Report/TableFormat.h"

using namespace llvm;
using namespace warpo;

Table warpo::slowSliceTable(ArrayRef<SlowSlice> slices, const warpo::FunctionTable &functions,
                            std::optional<TimeScale> scale, uint64_t start, StringRef option) {
  std::string unit = scale ? "ns" : "ticks";
  auto scaled = [&](uint64_t counts) { return scale ? scale->toNanoseconds(counts) : counts; };
  Table table;
  table.columns = {{"slice", CellKind::count, "", 2},
                   {"began", CellKind::weight, unit},
                   {"took", CellKind::weight, unit},
                   {"calls", CellKind::count, "", 1},
                   {"from", CellKind::count, "", 0, /*isInDetails=*/true},
                   {"to", CellKind::count, "", 0, /*isInDetails=*/true},
                   {"hottest-path", CellKind::text, "", 0, /*isInDetails=*/true},
                   {"function"}};
  bool hasSuspensions = any_of(slices, [](const SlowSlice &slice) { return slice.suspended > 0; });
  size_t suspendedColumn = *table.findColumn("took") + 1;
  if (hasSuspensions)
    table.columns.insert(table.columns.begin() + suspendedColumn,
                         {"suspended", CellKind::weight, unit, 1});
  for (const SlowSlice &slice : slices) {
    std::string path, shortPath;
    for (FunctionIndex function : slice.hottestPath) {
      std::string name = displayName(functions[function].name);
      path.append(path.empty() ? "" : " > ").append(name);
      shortPath.append(shortPath.empty() ? "" : " > ").append(withoutArguments(name));
    }
    uint64_t from = slice.begin - start;
    uint64_t to = slice.end - start;
    Row row{{slice.number, scaled(from), scaled(slice.duration()), slice.calls, from, to, path,
             displayName(functions[slice.outermost].name)}};
    if (hasSuspensions)
      row.cells.insert(row.cells.begin() + suspendedColumn, scaled(slice.suspended));
    row.details.push_back(shortPath);
    // Counts, because they cut exactly.
    row.details.push_back((option + (option.empty() ? "" : " ") + "--from=" + Twine(from) +
                           " --to=" + Twine(to) + " or --slices=" + Twine(slice.number))
                              .str());
    table.rows.push_back(std::move(row));
  }
  return table;
}
