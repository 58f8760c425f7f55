//===- FunctionMatcher.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FunctionMatcher.h"
#include "warpo/Support/NumberedName.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace warpo;

// A neighbour that more unmatched functions than this share says little about each of them, and
// trying all their pairs would be quadratic.
static constexpr size_t maxSharing = 64;
// Each round may find functions that are neighbours of others.
static constexpr unsigned maxRounds = 16;
// One equal neighbour may be chance: a new function, called where another one was.
static constexpr unsigned minShared = 2;

namespace {

/// A function that has been found on both sides, as the old side numbers it, and which way the call
/// goes; the host is a neighbour too.
struct Neighbour {
  FunctionIndex function;
  bool calls;
  auto operator<=>(const Neighbour &) const = default;
};

class Matcher {
public:
  Matcher(const DiffSide &before, const DiffSide &after, ArrayRef<uint32_t> modules)
      : before_(before), after_(after), modules_(modules),
        matches_(after.functions.functions().size()),
        inAfter_(before.functions.functions().size(), noFunction) {}

  std::vector<MatchedFunction> run() {
    matchNames();
    matchBodies();
    matchNumbers();
    matchMoved();
    for (unsigned round = 0; round < maxRounds && matchNeighbours(); ++round)
      ;
    return std::move(matches_);
  }

private:
  void match(FunctionIndex before, FunctionIndex after, FunctionMatch how) {
    matches_[after] = {before, how};
    inAfter_[before] = after;
  }

  void matchNames() {
    for (FunctionIndex after = 0; after < matches_.size(); ++after)
      if (!isNumbered(functionAfter(after)))
        if (auto before = before_.functions.find(after_.functions, after, modules_))
          match(*before, after, FunctionMatch::name);
  }

  /// A name such as `func[12]` is an index, and other builds have other indices.
  static std::optional<uint32_t> numberOf(const ProfileFunction &function) {
    auto name = NumberedName::parse(function.name);
    return name && function.kind == FunctionKind::function ? std::optional(name->index)
                                                           : std::nullopt;
  }
  static bool isNumbered(const ProfileFunction &function) { return numberOf(function).has_value(); }

  /// If nothing better is known, the same number means the same function.
  void matchNumbers() {
    for (FunctionIndex after = 0; after < matches_.size(); ++after) {
      if (!isNumbered(functionAfter(after)) || !isOpenAfter(after))
        continue;
      auto before = before_.functions.find(after_.functions, after, modules_);
      if (!before || !isOpenBefore(*before))
        continue;
      uint64_t bodies[] = {functionBefore(*before).bodyHash, functionAfter(after).bodyHash};
      if (bodies[0] == 0 || bodies[1] == 0 || bodies[0] == bodies[1])
        match(*before, after, FunctionMatch::name);
    }
  }

  const ProfileFunction &functionBefore(FunctionIndex before) const {
    return before_.functions.functions()[before];
  }
  const ProfileFunction &functionAfter(FunctionIndex after) const {
    return after_.functions.functions()[after];
  }

  void matchBodies();
  void matchMoved();
  bool matchNeighbours();

  /// By a module of the old side and a hash; noFunction for a body that several have there.
  using Bodies = std::map<std::pair<uint32_t, uint64_t>, FunctionIndex>;

  /// The functions not found yet.
  template <typename IsOpen, typename ModuleOf>
  static Bodies byBody(const DiffSide &side, IsOpen isOpen, ModuleOf moduleOf) {
    Bodies result;
    for (auto [i, function] : enumerate(side.functions.functions())) {
      auto index = FunctionIndex(i);
      if (function.bodyHash == 0 || !isOpen(index))
        continue;
      uint32_t module = moduleOf(function.module);
      if (module == noModule)
        continue;
      if (auto [entry, isNew] = result.try_emplace({module, function.bodyHash}, index); !isNew)
        entry->second = noFunction;
    }
    return result;
  }

  bool isOpenBefore(FunctionIndex before) const {
    return inAfter_[before] == noFunction && isFunction(before_, before);
  }
  bool isOpenAfter(FunctionIndex after) const {
    return matches_[after].match == FunctionMatch::none && isFunction(after_, after);
  }
  static bool isFunction(const DiffSide &side, FunctionIndex function) {
    return side.functions.functions()[function].kind == FunctionKind::function;
  }

  /// For each unmatched function of a side, its matched neighbours.
  template <typename Found, typename IsOpen>
  static std::map<FunctionIndex, std::vector<Neighbour>> neighboursOf(const DiffSide &side,
                                                                      Found found, IsOpen isOpen) {
    std::map<FunctionIndex, std::vector<Neighbour>> result;
    for (auto [caller, callee] : side.calls) {
      // The host is the same on both sides.
      if (isOpen(callee) && (caller == noFunction || found(caller) != noFunction))
        result[callee].push_back({caller == noFunction ? noFunction : found(caller), true});
      if (caller != noFunction && isOpen(caller) && found(callee) != noFunction)
        result[caller].push_back({found(callee), false});
    }
    return result;
  }

  const DiffSide &before_;
  const DiffSide &after_;
  /// For each module of the new side, the one of the old side.
  ArrayRef<uint32_t> modules_;
  std::vector<MatchedFunction> matches_;
  /// For each function of the old side, the one of the new side.
  std::vector<FunctionIndex> inAfter_;
};

/// The largest number of shared neighbours so far.
struct Best {
  FunctionIndex other = noFunction;
  double likeness = 0;
  bool isUnique = false;

  void offer(FunctionIndex candidate, double candidateLikeness) {
    if (candidateLikeness > likeness)
      *this = {candidate, candidateLikeness, true};
    else if (candidateLikeness == likeness)
      isUnique = false;
  }
};

} // namespace

void Matcher::matchBodies() {
  auto before = byBody(
      before_, [&](FunctionIndex i) { return isOpenBefore(i); },
      [](uint32_t module) { return module; });
  auto after = byBody(
      after_, [&](FunctionIndex i) { return isOpenAfter(i); },
      [&](uint32_t module) { return modules_[module]; });
  for (auto [body, function] : after)
    if (auto known = before.find(body);
        function != noFunction && known != before.end() && known->second != noFunction)
      match(known->second, function, FunctionMatch::body);
}

// Functions between two that have moved by the same number have moved by it too.
void Matcher::matchMoved() {
  /// A module of the old side, and a number in it.
  using Place = std::pair<uint32_t, uint32_t>;
  std::map<Place, int64_t> moves;
  std::map<Place, FunctionIndex> open;
  for (FunctionIndex i = 0; i < inAfter_.size(); ++i)
    if (auto number = numberOf(functionBefore(i)); number && isOpenBefore(i))
      open[{functionBefore(i).module, *number}] = i;
  for (FunctionIndex i = 0; i < matches_.size(); ++i) {
    auto number = numberOf(functionAfter(i));
    FunctionIndex before = matches_[i].before;
    auto former = before == noFunction ? std::nullopt : numberOf(functionBefore(before));
    if (number && former)
      moves[{functionBefore(before).module, *number}] = int64_t(*former) - int64_t(*number);
  }
  for (FunctionIndex i = 0; i < matches_.size(); ++i) {
    auto number = numberOf(functionAfter(i));
    if (!number || !isOpenAfter(i))
      continue;
    Place place(modules_[functionAfter(i).module], *number);
    auto next = moves.upper_bound(place);
    if (next == moves.begin() || next == moves.end())
      continue;
    auto [above, move] = *next;
    auto [below, moveBelow] = *std::prev(next);
    if (above.first != place.first || below.first != place.first || move != moveBelow)
      continue;
    auto former = open.find({place.first, uint32_t(*number + move)});
    if (former != open.end() && isOpenBefore(former->second))
      match(former->second, i, FunctionMatch::neighbours);
  }
}

bool Matcher::matchNeighbours() {
  auto before = neighboursOf(
      before_, [&](FunctionIndex i) { return inAfter_[i] == noFunction ? noFunction : i; },
      [&](FunctionIndex i) { return isOpenBefore(i); });
  auto after = neighboursOf(
      after_, [&](FunctionIndex i) { return matches_[i].before; },
      [&](FunctionIndex i) { return isOpenAfter(i); });

  std::map<Neighbour, std::vector<FunctionIndex>> beforeOf;
  for (const auto &[function, neighbours] : before)
    for (const Neighbour &neighbour : neighbours)
      beforeOf[neighbour].push_back(function);

  std::map<FunctionIndex, Best> bestBefore, bestAfter;
  for (const auto &[function, neighbours] : after) {
    std::map<FunctionIndex, unsigned> shared;
    for (const Neighbour &neighbour : neighbours)
      if (auto known = beforeOf.find(neighbour);
          known != beforeOf.end() && known->second.size() <= maxSharing)
        for (FunctionIndex candidate : known->second)
          ++shared[candidate];
    for (auto [candidate, count] : shared) {
      // If both functions have names, the names decide.
      if (!isNumbered(functionAfter(function)) && !isNumbered(functionBefore(candidate)))
        continue;
      // How many of all neighbours of the two are the same.
      double likeness = 2.0 * count / double(neighbours.size() + before.at(candidate).size());
      if (count < minShared || likeness <= 0.5)
        continue;
      bestBefore[function].offer(candidate, likeness);
      bestAfter[candidate].offer(function, likeness);
    }
  }
  bool found = false;
  for (const auto &[function, best] : bestBefore) {
    const Best &back = bestAfter.at(best.other);
    if (!best.isUnique || !back.isUnique || back.other != function)
      continue;
    match(best.other, function, FunctionMatch::neighbours);
    found = true;
  }
  return found;
}

std::vector<MatchedFunction> warpo::matchFunctions(const DiffSide &before, const DiffSide &after,
                                                   ArrayRef<uint32_t> modules) {
  return Matcher(before, after, modules).run();
}
