//===- PhaseTable.cpp - What the host did for a program -------------------===//

#include "warpo/Report/Reports.h"

using namespace llvm;
using namespace warpo;

namespace {

/// Of one phase over all runs.
struct Total {
  std::string name, unit;
  std::optional<uint64_t> time, ticks;
};

/// What is not known for one of them is not known for the sum.
void add(std::optional<uint64_t> &sum, std::optional<uint64_t> value) {
  sum = sum && value ? std::optional(*sum + *value) : std::nullopt;
}

Cell cellOf(std::optional<uint64_t> value) { return value ? Cell(*value) : Cell(); }

Row rowOf(StringRef run, const Total &phase) {
  Cell unit = phase.unit.empty() ? Cell() : Cell(phase.unit);
  return {{cellOf(phase.time), cellOf(phase.ticks), unit, run.str(), phase.name}};
}

} // namespace

Table warpo::phaseTable(ArrayRef<PhasesOfRun> runs) {
  Table table;
  table.title = runs.size() == 1 ? runs.front().run : std::to_string(runs.size()) + " runs";
  table.columns = {{.name = "time", .kind = CellKind::weight, .unit = "ns"},
                   {.name = "ticks", .kind = CellKind::count},
                   {.name = "unit"},
                   {.name = "run"},
                   {.name = "phase"}};
  std::vector<Total> totals;
  Total all{"all phases", "", 0, std::nullopt};
  for (const PhasesOfRun &run : runs)
    for (const RecordedPhase &phase : run.phases) {
      Total one{phase.name, phase.unit, std::nullopt, std::nullopt};
      if (run.scale)
        one.time = run.scale->toNanoseconds(phase.duration());
      if (!phase.unit.empty())
        one.ticks = phase.ticks;
      table.rows.push_back(rowOf(run.run, one));
      add(all.time, one.time);
      auto known = find_if(totals, [&](const Total &total) {
        return total.name == one.name && total.unit == one.unit;
      });
      if (known == totals.end()) {
        totals.push_back(one);
        continue;
      }
      add(known->time, one.time);
      add(known->ticks, one.ticks);
    }
  // What happened once is its own total.
  if (totals.size() < table.rows.size())
    for (const Total &total : totals)
      table.rows.push_back(rowOf("total", total));
  table.rows.push_back(rowOf("total", all));
  return table;
}
