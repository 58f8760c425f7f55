//===- NeighbourTables.cpp - Callers and callees of functions -------------===//

#include "FunctionSums.h"
#include "warpo/Report/Reports.h"
#include <map>

using namespace llvm;
using namespace warpo;

namespace {

/// Weights of calls between two functions; one of them is among those that were asked for.
class Neighbours {
public:
  Neighbours(const Profile &profile, const NameGlobs &functions)
      : profile_(profile), inclusive_(profile.inclusive()) {
    for (const ProfileFunction &function : profile.functions)
      wanted_.push_back(functions.matches(function.name));
  }

  bool isWanted(NodeIndex node) const {
    return node != ContextTree::root && wanted_[profile_.tree[node].function];
  }

  /// Whether no caller of the context is wanted too: the weights of others are in it already.
  bool isOutermost(NodeIndex node) {
    if (below_.empty()) {
      below_.resize(profile_.tree.size());
      // Callers stand before their callees.
      for (NodeIndex at = 1; at < profile_.tree.size(); ++at) {
        NodeIndex parent = profile_.tree[at].parent;
        below_[at] = below_[parent] || isWanted(parent);
      }
    }
    return !below_[node];
  }

  void add(const std::string &name, NodeIndex node, uint64_t inclusive) {
    sums_[name].add(profile_.calls(node), profile_.self(node), inclusive);
  }
  uint64_t inclusive(NodeIndex node) const { return inclusive_[node]; }
  std::string name(NodeIndex node) const {
    return node == ContextTree::root ? "(the host)" : displayName(profile_.name(node));
  }

  Table table(StringRef neighbour, uint64_t whole) const {
    std::string unit = profile_.unit().str();
    Table table;
    table.title = profile_.title;
    table.columns = {{"share", CellKind::share, "", 1},
                     {"total", CellKind::weight, unit},
                     {"calls", CellKind::count, "", 2},
                     {neighbour.str()}};
    for (const auto &[name, sum] : sums_)
      table.rows.push_back({{shareOf(sum.inclusive, whole), sum.inclusive, sum.calls, name}});
    sortRows(table, *table.findColumn("total"));
    return table;
  }

private:
  const Profile &profile_;
  std::vector<uint64_t> inclusive_;
  std::vector<bool> wanted_;
  std::vector<bool> below_;
  std::map<std::string, Sums> sums_;
};

} // namespace

Table warpo::callerTable(const Profile &profile, const NameGlobs &functions) {
  Neighbours neighbours(profile, functions);
  uint64_t whole = 0;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    if (!neighbours.isWanted(node))
      continue;
    // A call from within itself counts as a call; its weight is that of the outer call already.
    uint64_t inclusive = neighbours.isOutermost(node) ? neighbours.inclusive(node) : 0;
    whole = SaturatingAdd(whole, inclusive);
    neighbours.add(neighbours.name(profile.tree[node].parent), node, inclusive);
  }
  return neighbours.table("caller", whole);
}

Table warpo::calleeTable(const Profile &profile, const NameGlobs &functions) {
  Neighbours neighbours(profile, functions);
  uint64_t whole = 0;
  uint64_t self = 0;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    NodeIndex parent = profile.tree[node].parent;
    if (neighbours.isWanted(node)) {
      self = SaturatingAdd(self, profile.self(node));
      if (neighbours.isOutermost(node))
        whole = SaturatingAdd(whole, neighbours.inclusive(node));
    }
    if (neighbours.isWanted(parent))
      neighbours.add(neighbours.name(node), node,
                     neighbours.isWanted(node) ? 0 : neighbours.inclusive(node));
  }
  Table table = neighbours.table("callee", whole);
  if (whole > 0)
    table.rows.push_back({{shareOf(self, whole), self, Cell(), std::string("(itself)")}});
  sortRows(table, *table.findColumn("total"));
  return table;
}
