//===- TreeTable.cpp - The call tree, and its outermost frames ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ContextSums.h"
#include "RatioColumns.h"
#include "SourceColumn.h"
#include "warpo/Report/Reports.h"
#include <map>

using namespace llvm;
using namespace warpo;

Table warpo::treeTable(const Profile &profile) {
  std::vector<uint64_t> inclusive = profile.inclusive();
  ContextTree::Children children = profile.tree.children([&](NodeIndex a, NodeIndex b) {
    if (inclusive[a] != inclusive[b])
      return inclusive[a] > inclusive[b];
    StringRef nameA = profile.name(a), nameB = profile.name(b);
    return nameA != nameB ? nameA < nameB : a < b;
  });
  std::string unit = profile.unit().str();
  Table table;
  table.title = profile.title;
  table.isTree = true;
  table.columns = {{"share", CellKind::share, "", 2},
                   {"total", CellKind::weight, unit},
                   {"self", CellKind::weight, unit, 3},
                   {"calls", CellKind::count, "", 1}};
  RatioColumns ratios(profile);
  if (ratios.areShown())
    table.columns.insert(table.columns.end(), {ratios.total(), ratios.self()});
  table.columns.push_back({"function"});
  uint64_t whole = inclusive[ContextTree::root];
  std::vector<const ProfileFunction *> places;
  for (CallTreeWalk walk(children); walk.next();) {
    NodeIndex node = walk.node();
    Row row{
        {shareOf(inclusive[node], whole), inclusive[node], profile.self(node), profile.calls(node)},
        unsigned(walk.depth() - 1)};
    if (ratios.areShown()) {
      row.cells.push_back(ratios.cell(inclusive[node], ratios.inclusiveOf(node)));
      row.cells.push_back(ratios.cell(profile.self(node), ratios.selfOf(node)));
    }
    row.cells.push_back(displayName(profile.name(node)));
    table.rows.push_back(std::move(row));
    places.push_back(&profile.function(node));
  }
  insertSource(table, profile, places);
  if (!profile.findWeight("calls"))
    table.eraseColumns(*table.findColumn("calls"), 1);
  ratios.addNote(table);
  return table;
}

Table warpo::topLevelTable(const Profile &profile) {
  std::vector<uint64_t> inclusive = profile.inclusive();
  std::map<FunctionIndex, Sums> sums;
  RatioColumns ratios(profile);
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    if (profile.tree[node].parent == ContextTree::root) {
      Sums &sum = sums[profile.tree[node].function];
      sum.add(profile.calls(node), profile.self(node), inclusive[node]);
      sum.addOther(ratios.selfOf(node), ratios.inclusiveOf(node));
    }
  std::string unit = profile.unit().str();
  Table table;
  table.title = profile.title;
  table.columns = {{"share", CellKind::share, "", 2},
                   {"total", CellKind::weight, unit},
                   {"self", CellKind::weight, unit, 4},
                   {"calls", CellKind::count, "", 1},
                   {"mean", CellKind::weight, unit, 3}};
  if (ratios.areShown())
    table.columns.push_back(ratios.total());
  table.columns.push_back({"function"});
  uint64_t whole = inclusive[ContextTree::root];
  std::vector<const ProfileFunction *> places;
  for (const auto &[function, sum] : sums) {
    Cell mean;
    if (sum.calls > 0) {
      // Rounded to nearest, as in CallDistribution.
      uint64_t rest = sum.inclusive % sum.calls;
      mean = sum.inclusive / sum.calls + (rest >= sum.calls - rest);
    }
    Row row{{shareOf(sum.inclusive, whole), sum.inclusive, sum.self, sum.calls, mean}};
    if (ratios.areShown())
      row.cells.push_back(ratios.cell(sum.inclusive, sum.otherInclusive));
    row.cells.push_back(displayName(profile.functions[function].name));
    table.rows.push_back(std::move(row));
    places.push_back(&profile.functions[function]);
  }
  insertSource(table, profile, places);
  if (!profile.findWeight("calls"))
    table.eraseColumns(*table.findColumn("calls"), 2);
  sortRows(table, *table.findColumn("function"));
  sortRows(table, *table.findColumn("total"));
  ratios.addNote(table);
  return table;
}
