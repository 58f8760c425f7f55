//===- DiffTable.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ContextSums.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Report/Reports.h"
#include "warpo/Support/Errors.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

static int64_t rounded(double number) {
  constexpr double limit = 9.2e18;
  return int64_t(std::llround(std::clamp(number, -limit, limit)));
}
static uint64_t positive(double number) { return uint64_t(std::max<int64_t>(rounded(number), 0)); }

static std::string howFound(const DiffFunction &function) {
  switch (function.match) {
  case FunctionMatch::none:
    return function.presence == Presence::added ? " (new)" : " (gone)";
  case FunctionMatch::name:
    return "";
  case FunctionMatch::body:
  case FunctionMatch::neighbours:
    // Functions without a name (func[7]) may have the same number on both sides.
    return function.formerName.empty() ? "" : " (was " + displayName(function.formerName) + ")";
  }
  return "";
}

Table warpo::diffTable(const ProfileDiff &diff) {
  const DiffWeight &weight = diff.weight();
  std::optional<WeightIndex> calls = diff.findWeight("calls");
  double whole = weight.inclusive[ContextTree::root].before.mean;
  Table table;
  table.columns = {{"change", CellKind::change, weight.unit},
                   {"share", CellKind::shareChange, "", 1},
                   {"by-calls", CellKind::change, weight.unit, 2},
                   {"by-cost", CellKind::change, weight.unit, 2},
                   {"before", CellKind::weight, weight.unit, 4},
                   {"after", CellKind::weight, weight.unit, 3},
                   {"calls-before", CellKind::count, "", 6},
                   {"calls-after", CellKind::count, "", 5},
                   {"function"}};
  uint64_t within = 0;
  for (FunctionIndex function = 0; function < diff.functions.size(); ++function) {
    const Change &change = weight.functionInclusive[function];
    double difference = change.realDifference();
    if (difference == 0) {
      within += change.difference() != 0;
      continue;
    }
    Cell byCalls, byCost, callsBefore, callsAfter;
    if (calls) {
      const Change &counts = diff.weights[*calls].functionSelf[function];
      callsBefore = positive(counts.before.mean);
      callsAfter = positive(counts.after.mean);
      double part = diff.differenceByCalls(function, diff.shown);
      byCalls = rounded(part);
      byCost = rounded(change.difference() - part);
    }
    const DiffFunction &names = diff.functions[function];
    table.rows.push_back(
        {{rounded(difference), whole > 0 ? difference / whole : 0.0, byCalls, byCost,
          positive(change.before.mean), positive(change.after.mean), callsBefore, callsAfter,
          displayName(names.function.name) + howFound(names)}});
  }
  sortRows(table, [](const Row &a, const Row &b) {
    return std::abs(std::get<int64_t>(a.cells[0])) > std::abs(std::get<int64_t>(b.cells[0]));
  });
  const Change &all = weight.inclusive[ContextTree::root];
  auto total = [&](double sum) { return formatWeight(positive(sum), weight.unit); };
  table.notes.push_back("all: " + total(all.before.mean) + " before, " + total(all.after.mean) +
                        " after; changes are of a function with all that it calls");
  if (within > 0)
    table.notes.push_back(countOf(within, "further function") +
                          " changed by no more than between runs of one side");
  return table;
}
