//===- NeighbourTables.cpp - Callers and callees of functions -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ContextSums.h"
#include "RatioColumns.h"
#include "SourceColumn.h"
#include "warpo/Profile/CodeDetail.h"
#include "warpo/Report/Reports.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

using namespace llvm;
using namespace warpo;

namespace {

/// Weights of calls between two functions, one of which matches.
class Neighbours {
public:
  Neighbours(const Profile &profile, const NameGlobs &functions, const CallLinesMap &calls)
      : profile_(profile), callLines_(calls), ratios_(profile), inclusive_(profile.inclusive()) {
    for (const ProfileFunction &function : profile.functions)
      wanted_.push_back(functions.matches(function.name));
  }

  bool isWanted(NodeIndex node) const {
    return node != ContextTree::root && wanted_[profile_.tree[node].function];
  }

  /// Whether no caller of the context matches too: that caller's weights would include the
  /// context's.
  bool isOutermost(NodeIndex node) {
    if (below_.empty()) {
      below_.resize(profile_.tree.size());
      // Callers come before their callees.
      for (NodeIndex at = 1; at < profile_.tree.size(); ++at) {
        NodeIndex parent = profile_.tree[at].parent;
        below_[at] = below_[parent] || isWanted(parent);
      }
    }
    return !below_[node];
  }

  /// Adds a call; `neighbour` is its other end. Adds its weights only if no other call includes
  /// them.
  void add(NodeIndex neighbour, NodeIndex node, bool weighs) {
    const ProfileFunction *function = this->function(neighbour);
    auto [entry, isNew] =
        neighbours_.try_emplace({name(neighbour), function ? function->module : 0});
    auto &[sum, place, lines] = entry->second;
    if (isNew)
      place = function;
    else if (!hasPlaceOf(place, function))
      place = nullptr;
    addLines(lines, node);
    sum.add(profile_.calls(node), profile_.self(node), weighs ? inclusive(node) : 0);
    sum.addOther(ratios_.selfOf(node), weighs ? ratios_.inclusiveOf(node) : 0);
  }
  /// Adds the lines on which the context is called.
  void addLines(CallLines &to, NodeIndex node) {
    NodeIndex parent = profile_.tree[node].parent;
    if (parent == ContextTree::root)
      return;
    FunctionIndex caller = profile_.tree[parent].function, callee = profile_.tree[node].function;
    if (!hasLines_.insert({caller, callee}).second)
      return;
    if (const CallLines *known = findCallLines(callLines_, profile_, caller, callee))
      to.append(*known);
  }
  uint64_t inclusive(NodeIndex node) const { return inclusive_[node]; }
  const ProfileFunction *function(NodeIndex node) const {
    return node == ContextTree::root ? nullptr : &profile_.function(node);
  }
  /// Functions with the same module and name share a row, which has a place if it is the same for
  /// all.
  static bool hasPlaceOf(const ProfileFunction *a, const ProfileFunction *b) {
    return a && b && std::tie(a->file, a->line) == std::tie(b->file, b->line);
  }
  std::string name(NodeIndex node) const {
    return node == ContextTree::root ? "(the host)" : displayName(profile_.name(node));
  }

  Table table(StringRef neighbour, uint64_t whole) {
    std::string unit = profile_.unit().str();
    Table table;
    table.title = profile_.title;
    table.columns = {{"share", CellKind::share, "", 1},
                     {"total", CellKind::weight, unit},
                     {"calls", CellKind::count, "", 2}};
    if (ratios_.areShown())
      table.columns.push_back(ratios_.total());
    table.columns.push_back({neighbour.str()});
    for (auto &[key, neighbour] : neighbours_) {
      neighbour.lines.sortLines();
      const Sums &sum = neighbour.sum;
      addRow(table, whole, sum.inclusive, sum.otherInclusive, sum.calls, key.first, neighbour.place,
             describeCalls(neighbour.lines));
    }
    return table;
  }
  /// To be called once all rows have been added.
  Table finished(Table table) const {
    insertSource(table, profile_, places_);
    insertTexts(table, {"called", CellKind::text, "", 8, /*isInDetails=*/true}, lines_);
    if (!profile_.findWeight("calls"))
      table.eraseColumns(*table.findColumn("calls"), 1);
    sortRows(table, *table.findColumn("total"));
    ratios_.addNote(table);
    return table;
  }
  void addRow(Table &table, uint64_t whole, uint64_t weight, uint64_t other, Cell calls,
              const std::string &name, const ProfileFunction *place = nullptr,
              const std::string &lines = "") {
    Row row{{shareOf(weight, whole), weight, std::move(calls)}};
    if (ratios_.areShown())
      row.cells.push_back(ratios_.cell(weight, other));
    row.cells.push_back(name);
    if (!lines.empty())
      row.details.push_back(lines);
    table.rows.push_back(std::move(row));
    lines_.push_back(lines);
    places_.push_back(place);
  }
  const RatioColumns &ratios() const { return ratios_; }

private:
  struct Neighbour {
    Sums sum;
    /// Null if it is unknown or ambiguous.
    const ProfileFunction *place = nullptr;
    CallLines lines = {};
  };

  const Profile &profile_;
  const CallLinesMap &callLines_;
  RatioColumns ratios_;
  std::vector<uint64_t> inclusive_;
  std::vector<bool> wanted_;
  std::vector<bool> below_;
  /// Pairs of caller and callee whose lines have been added.
  DenseSet<std::pair<FunctionIndex, FunctionIndex>> hasLines_;
  /// By name and module.
  std::map<std::pair<std::string, uint32_t>, Neighbour> neighbours_;
  /// By row of the table.
  std::vector<const ProfileFunction *> places_;
  /// By row: the lines of the calls.
  std::vector<std::string> lines_;
};

} // namespace

Table warpo::callerTable(const Profile &profile, const NameGlobs &functions,
                         const CallLinesMap &calls) {
  Neighbours neighbours(profile, functions, calls);
  uint64_t whole = 0;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    if (!neighbours.isWanted(node))
      continue;
    // A recursive call counts as a call; its weight is included in the outer call.
    bool weighs = neighbours.isOutermost(node);
    if (weighs)
      whole = SaturatingAdd(whole, neighbours.inclusive(node));
    neighbours.add(profile.tree[node].parent, node, weighs);
  }
  return neighbours.finished(neighbours.table("caller", whole));
}

Table warpo::calleeTable(const Profile &profile, const NameGlobs &functions,
                         const CallLinesMap &calls) {
  Neighbours neighbours(profile, functions, calls);
  uint64_t whole = 0;
  uint64_t self = 0;
  uint64_t otherSelf = 0;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    NodeIndex parent = profile.tree[node].parent;
    if (neighbours.isWanted(node)) {
      self = SaturatingAdd(self, profile.self(node));
      otherSelf = SaturatingAdd(otherSelf, neighbours.ratios().selfOf(node));
      if (neighbours.isOutermost(node))
        whole = SaturatingAdd(whole, neighbours.inclusive(node));
    }
    if (neighbours.isWanted(parent))
      neighbours.add(node, node, !neighbours.isWanted(node));
  }
  Table table = neighbours.table("callee", whole);
  if (whole > 0)
    neighbours.addRow(table, whole, self, otherSelf, Cell(), "(itself)");
  return neighbours.finished(std::move(table));
}
