//===- PhaseTable.cpp - What the host did for a program -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/Reports.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace warpo;

namespace {

struct Total {
  std::string name, unit;
  std::optional<uint64_t> time = {}, ticks = {};
  /// Of a section; not set for a phase.
  std::optional<uint64_t> calls = {};
  bool isSection = false;

  std::tuple<std::string, std::string, bool> key() const { return {name, unit, isSection}; }
};

/// The sum is unknown if one of the values is.
void add(std::optional<uint64_t> &sum, std::optional<uint64_t> value) {
  sum = sum && value ? std::optional(SaturatingAdd(*sum, *value)) : std::nullopt;
}

Cell cellOf(std::optional<uint64_t> value) { return value ? Cell(*value) : Cell(); }

Row rowOf(StringRef run, const Total &phase) {
  Cell unit = phase.unit.empty() ? Cell() : Cell(phase.unit);
  return {
      {cellOf(phase.time), cellOf(phase.ticks), unit, cellOf(phase.calls), run.str(), phase.name}};
}

Total totalOf(const RecordedPhase &phase, const PhasesOfRun &run) {
  Total total{phase.name, phase.unit};
  if (const std::optional<TimeScale> &scale = run.measures.front().scale)
    total.time = scale->toNanoseconds(phase.duration());
  if (!phase.unit.empty())
    total.ticks = phase.ticks;
  return total;
}

/// One row, and one more for each further measure.
std::vector<Total> totalsOf(const SectionSum &section, const PhasesOfRun &run) {
  std::vector<Total> totals(1);
  for (const auto &[index, measure] : enumerate(run.measures)) {
    if (!section.amounts[index])
      continue;
    if (!totals.back().unit.empty())
      totals.emplace_back();
    totals.back().ticks = section.amounts[index];
    totals.back().unit = measure.name;
  }
  for (Total &total : totals) {
    total.name = section.name;
    total.isSection = true;
  }
  totals.front().calls = section.calls;
  if (const std::optional<TimeScale> &scale = run.measures.front().scale)
    totals.front().time = scale->toNanoseconds(section.time);
  return totals;
}

/// The rows of all runs, and the sums over them.
class Rows {
public:
  void add(const PhasesOfRun &run, const Total &one) {
    rows.push_back(rowOf(run.run, one));
    auto [place, isNew] = places_.try_emplace(one.key(), totals_.size());
    if (isNew) {
      totals_.push_back(one);
      return;
    }
    Total &known = totals_[place->second];
    ::add(known.time, one.time);
    ::add(known.ticks, one.ticks);
    ::add(known.calls, one.calls);
  }
  void addTotals() {
    // If every phase happened once, totals would repeat the rows.
    if (totals_.size() < rows.size())
      for (const Total &total : totals_)
        rows.push_back(rowOf("total", total));
  }

  std::vector<Row> rows;

private:
  std::vector<Total> totals_;
  /// Indices into totals_.
  std::map<std::tuple<std::string, std::string, bool>, size_t> places_;
};

/// Phases have no calls.
void dropCalls(Table &table) {
  size_t calls = *table.findColumn("calls");
  table.columns.erase(table.columns.begin() + calls);
  for (Row &row : table.rows)
    row.cells.erase(row.cells.begin() + calls);
}

} // namespace

Table warpo::phaseTable(ArrayRef<PhasesOfRun> runs) {
  Table table;
  table.title = runs.size() == 1 ? runs.front().run : std::to_string(runs.size()) + " runs";
  table.columns = {{.name = "time", .kind = CellKind::weight, .unit = "ns"},
                   {.name = "ticks", .kind = CellKind::count},
                   {.name = "unit"},
                   {.name = "calls", .kind = CellKind::count},
                   {.name = "run"},
                   {.name = "phase"}};
  Rows rows;
  Total all{"all phases", "", 0};
  bool hasPhases = false, hasSections = false;
  for (const PhasesOfRun &run : runs) {
    for (const RecordedPhase &phase : run.phases) {
      Total one = totalOf(phase, run);
      rows.add(run, one);
      add(all.time, one.time);
    }
    for (const SectionSum &section : run.sections)
      for (const Total &one : totalsOf(section, run))
        rows.add(run, one);
    hasPhases |= !run.phases.empty();
    hasSections |= !run.sections.empty();
  }
  rows.addTotals();
  table.rows = std::move(rows.rows);
  if (hasPhases)
    table.rows.push_back(rowOf("total", all));
  if (!hasSections)
    dropCalls(table);
  return table;
}
