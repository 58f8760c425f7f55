//===- TreeTable.cpp - The call tree, and its outermost frames ------------===//

#include "FunctionSums.h"
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
                   {"calls", CellKind::count, "", 1},
                   {"function"}};
  uint64_t whole = inclusive[ContextTree::root];
  for (CallTreeWalk walk(children); walk.next();) {
    NodeIndex node = walk.node();
    table.rows.push_back({{shareOf(inclusive[node], whole), inclusive[node], profile.self(node),
                           profile.calls(node), displayName(profile.name(node))},
                          unsigned(walk.depth() - 1)});
  }
  return table;
}

Table warpo::topLevelTable(const Profile &profile) {
  std::vector<uint64_t> inclusive = profile.inclusive();
  std::map<FunctionIndex, Sums> sums;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    if (profile.tree[node].parent == ContextTree::root)
      sums[profile.tree[node].function].add(profile.calls(node), profile.self(node),
                                            inclusive[node]);
  std::string unit = profile.unit().str();
  Table table;
  table.title = profile.title;
  table.columns = {{"share", CellKind::share, "", 2},   {"total", CellKind::weight, unit},
                   {"self", CellKind::weight, unit, 4}, {"calls", CellKind::count, "", 1},
                   {"mean", CellKind::weight, unit, 3}, {"function"}};
  uint64_t whole = inclusive[ContextTree::root];
  for (const auto &[function, sum] : sums) {
    Cell mean;
    if (sum.calls > 0)
      mean = sum.inclusive / sum.calls;
    table.rows.push_back({{shareOf(sum.inclusive, whole), sum.inclusive, sum.self, sum.calls, mean,
                           displayName(profile.functions[function].name)}});
  }
  sortRows(table, *table.findColumn("function"));
  sortRows(table, *table.findColumn("total"));
  return table;
}
