//===- TopFunctions.cpp - All functions, as a profiler's `top` -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "ContextSums.h"
#include "RatioColumns.h"
#include "SourceColumn.h"
#include "warpo/Profile/ProbeWeight.h"
#include "warpo/Profile/SampledTime.h"
#include "warpo/Report/Reports.h"

using namespace llvm;
using namespace warpo;

static std::vector<Cell> distributionCells(std::optional<CallDistribution::Numbers> numbers) {
  if (!numbers)
    return std::vector<Cell>(6);
  return {numbers->mean, numbers->median,  numbers->p90,
          numbers->p99,  numbers->longest, numbers->deepestRecursion};
}

/// By function: the share of recording in its recorded self time; empty if nothing was subtracted
/// and recording dominates no function.
static std::vector<double> probeShares(const Profile &profile) {
  bool isSubtracted = profile.findWeight("probe").has_value();
  if (!isSubtracted &&
      none_of(profile.functions, [](const auto &function) { return function.isMostlyProbe(); }))
    return {};
  std::vector<double> shares;
  for (const ProbedTime &times : probedTimes(profile))
    shares.push_back(times.share());
  return shares;
}

/// Inserts the total waiting time of each function's calls after the column `total`; nothing if
/// there was none. `functions` are those of the table's rows.
static void insertSuspended(Table &table, const Profile &profile,
                            const std::vector<bool> &outermost, ArrayRef<FunctionIndex> functions) {
  std::optional<WeightIndex> weight = profile.findWeight("suspended");
  if (!weight || *weight == profile.shown)
    return;
  std::vector<uint64_t> inclusive = profile.inclusive(*weight);
  std::vector<uint64_t> sums(profile.functions.size());
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    if (outermost[node]) {
      uint64_t &sum = sums[profile.tree[node].function];
      sum = SaturatingAdd(sum, inclusive[node]);
    }
  size_t place = *table.findColumn("total") + 1;
  table.columns.insert(table.columns.begin() + place,
                       {"suspended", CellKind::weight, profile.weights[*weight].unit, 1});
  for (auto [row, function] : zip_equal(table.rows, functions))
    row.cells.insert(row.cells.begin() + place, sums[function]);
}

/// Inserts the other weight and the ratios to it after the column `total`. `functions` are those of
/// the table's rows.
static void insertRatios(Table &table, const Profile &profile, const RatioColumns &ratios,
                         ArrayRef<Sums> sums, ArrayRef<FunctionIndex> functions) {
  size_t place = *table.findColumn("total") + 1;
  auto insert = [&](Column column, auto cellOf) {
    if (table.findColumn(column.name))
      return;
    table.columns.insert(table.columns.begin() + place, std::move(column));
    for (auto [row, function] : zip_equal(table.rows, functions))
      row.cells.insert(row.cells.begin() + place, cellOf(sums[function]));
    ++place;
  };
  const ProfileWeight &other = profile.weights[*profile.per];
  insert({other.name, CellKind::weight, other.unit, 1},
         [](const Sums &sum) { return Cell(sum.otherSelf); });
  insert(ratios.self(), [&](const Sums &sum) { return ratios.cell(sum.self, sum.otherSelf); });
  insert(ratios.total(),
         [&](const Sums &sum) { return ratios.cell(sum.inclusive, sum.otherInclusive); });
}

/// If the time comes from samples, inserts each share's error after it, and the mean time of a
/// call. `functions` are those of the table's rows.
static void insertSampledColumns(Table &table, const Profile &profile, ArrayRef<Sums> sums,
                                 ArrayRef<FunctionIndex> functions) {
  std::optional<WeightIndex> weight = profile.findWeight(timeSamplesWeight);
  if (!weight || profile.weights[profile.shown].name != Measure::timeClock)
    return;
  std::vector<double> errors = sampledShareErrors(profile, profile.shown, *weight);
  size_t error = *table.findColumn("share") + 1;
  table.columns.insert(table.columns.begin() + error, {"±", CellKind::share, "", 1});
  size_t mean = *table.findColumn("calls") + 1;
  table.columns.insert(table.columns.begin() + mean,
                       {"mean", CellKind::weight, profile.unit().str(), 2});
  for (auto [row, function] : zip_equal(table.rows, functions)) {
    const Sums &sum = sums[function];
    row.cells.insert(row.cells.begin() + error, errors[function]);
    row.cells.insert(row.cells.begin() + mean,
                     sum.calls == 0 ? Cell() : Cell((sum.inclusive + sum.calls / 2) / sum.calls));
  }
  table.notes.push_back("calls are those of the trace, times those of " +
                        std::to_string(profile.total(*weight)) + " samples");
}

/// The count beside the shown weight: calls; in sampled profiles, samples; in heap profiles,
/// objects.
static std::optional<WeightIndex> countedWeight(const Profile &profile) {
  for (StringRef name : {"samples", "calls"})
    if (std::optional<WeightIndex> weight = profile.findWeight(name))
      return weight;
  StringRef shown = profile.weights[profile.shown].name;
  if (shown.ends_with("_objects"))
    return profile.shown;
  return shown.consume_back("_space") ? profile.findWeight((shown + "_objects").str())
                                      : std::nullopt;
}

/// By function. `outermost` are the contexts that no other one of the same function is around.
static std::vector<Sums> sumByFunction(const Profile &profile, std::optional<WeightIndex> countedBy,
                                       const std::vector<bool> &outermost,
                                       const RatioColumns &ratios) {
  std::vector<Sums> sums(profile.functions.size());
  std::vector<uint64_t> inclusive = profile.inclusive();
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    Sums &sum = sums[profile.tree[node].function];
    sum.add(countedBy ? profile.self(node, *countedBy) : 0, profile.self(node),
            outermost[node] ? inclusive[node] : 0);
    sum.addOther(ratios.selfOf(node), outermost[node] ? ratios.inclusiveOf(node) : 0);
  }
  return sums;
}

/// The unit of single calls: they only have times, or the record's only clock.
static std::string timeUnit(const Profile &profile) {
  if (std::optional<WeightIndex> time = profile.findWeight("time"))
    return profile.weights[*time].unit;
  for (const ProfileWeight &weight : profile.weights)
    if (!is_contained({"calls", "samples"}, weight.name))
      return weight.unit;
  return "ticks";
}

Table warpo::functionTable(const Profile &profile, const CallDistribution &calls) {
  std::vector<bool> outermost = outermostOfFunction(profile);
  std::optional<WeightIndex> countedBy = countedWeight(profile);
  RatioColumns ratios(profile);
  std::vector<Sums> sums = sumByFunction(profile, countedBy, outermost, ratios);
  std::string ofCalls = timeUnit(profile);
  std::string unit = profile.unit().str();
  StringRef counted = countedBy ? StringRef(profile.weights[*countedBy].name) : "calls";
  bool countsCalls = counted == "calls";
  if (counted.ends_with("_objects"))
    counted = "objects";
  Table table;
  table.title = profile.title;
  table.columns = {{"share", CellKind::share, "", 1},      {"self", CellKind::weight, unit},
                   {"total", CellKind::weight, unit, 1},   {counted.str(), CellKind::count, "", 1},
                   {"mean", CellKind::weight, ofCalls, 2}, {"median", CellKind::weight, ofCalls, 6},
                   {"p90", CellKind::weight, ofCalls, 7},  {"p99", CellKind::weight, ofCalls, 4},
                   {"max", CellKind::weight, ofCalls, 3},  {"depth", CellKind::count, "", 5}};
  std::vector<double> probes = probeShares(profile);
  if (!probes.empty())
    table.columns.push_back({"probe", CellKind::share, "", 1});
  table.columns.push_back({"function"});
  uint64_t whole = profile.total();
  std::vector<FunctionIndex> functions;
  std::vector<const ProfileFunction *> places;
  for (FunctionIndex function = 0; function < sums.size(); ++function) {
    const Sums &sum = sums[function];
    if (sum.calls == 0 && sum.self == 0 && sum.inclusive == 0)
      continue;
    Row row;
    row.cells = {shareOf(sum.self, whole), sum.self, sum.inclusive, sum.calls};
    append_range(row.cells, distributionCells(calls.of(profile, function)));
    if (!probes.empty())
      row.cells.push_back(probes[function]);
    row.cells.push_back(displayName(profile.functions[function].name));
    table.rows.push_back(std::move(row));
    functions.push_back(function);
    places.push_back(&profile.functions[function]);
  }
  insertSource(table, profile, places);
  constexpr size_t callsColumn = 3;
  constexpr size_t distributionColumns = 6;
  // Samples have no per-call data, and calls as the weight are counted already.
  bool hasSampledTime = profile.findWeight(timeSamplesWeight).has_value();
  if (!countsCalls || hasSampledTime)
    table.eraseColumns(callsColumn + 1, distributionColumns);
  if (countedBy == profile.shown)
    table.eraseColumns(callsColumn, 1);
  if (hasSampledTime)
    insertSampledColumns(table, profile, sums, functions);
  insertSuspended(table, profile, outermost, functions);
  if (ratios.areShown())
    insertRatios(table, profile, ratios, sums, functions);
  sortRows(table, *table.findColumn("function"));
  sortRows(table, *table.findColumn("self"));
  if (ratios.areShown())
    sortRows(table, *table.findColumn(ratios.selfName()));
  ratios.addNote(table);
  return table;
}
