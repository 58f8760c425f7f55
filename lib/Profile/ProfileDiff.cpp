//===- ProfileDiff.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/ProfileDiff.h"
#include "FunctionMatcher.h"
#include "ModuleMatcher.h"
#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/BitVector.h"
#include <limits>

using namespace llvm;
using namespace warpo;

std::optional<WeightIndex> ProfileDiff::findWeight(StringRef name) const {
  for (WeightIndex weight = 0; weight < weights.size(); ++weight)
    if (weights[weight].name == name)
      return weight;
  return std::nullopt;
}

double ProfileDiff::differenceByCalls(FunctionIndex function, WeightIndex weight) const {
  std::optional<WeightIndex> calls = findWeight("calls");
  if (!calls || weights[weight].perCall.empty())
    return 0;
  double difference = weights[*calls].functionSelf[function].difference();
  // A function that is new or gone has no cost per call on one side: its change comes from calls.
  const Change &perCall = weights[weight].perCall[function];
  double cost =
      functions[function].presence == Presence::added ? perCall.after.mean : perCall.before.mean;
  return difference * cost;
}

Increase ProfileDiff::largestIncrease() const {
  const Change &whole = weight().inclusive[ContextTree::root];
  double largest = std::max(0.0, whole.realDifference());
  Increase result;
  for (FunctionIndex function = 0; function < functions.size(); ++function) {
    double difference = weight().functionInclusive[function].realDifference();
    if (difference <= largest)
      continue;
    largest = difference;
    result.function = function;
  }
  if (largest > 0)
    result.share = whole.before.mean > 0 ? largest / whole.before.mean
                                         : std::numeric_limits<double>::infinity();
  return result;
}

namespace {

/// The runs of both sides on one tree.
class DiffBuilder {
public:
  DiffBuilder(ArrayRef<Profile> before, ArrayRef<Profile> after) : before_(before), after_(after) {}

  Expected<ProfileDiff> build();

private:
  /// A run, and where its functions and contexts are in the diff.
  struct Run {
    const Profile *profile;
    std::vector<FunctionIndex> functions;
    std::vector<NodeIndex> contexts = {};
  };

  Error chooseWeights();
  void joinFunctions();
  void joinContexts();
  void measure(WeightIndex weight);
  std::vector<double> callsByFunction(const Run &run) const;
  void add(std::vector<Change> &changes, size_t run, ArrayRef<double> values) const;
  Spread Change::*sideOf(size_t run) const {
    return run < before_.size() ? &Change::before : &Change::after;
  }

  ArrayRef<Profile> before_;
  ArrayRef<Profile> after_;
  /// Those of the old side first.
  std::vector<Run> runs_;
  ProfileDiff diff_;
  /// Whether a context lies within another one of its function.
  BitVector isRecursive_;
};

} // namespace

Error DiffBuilder::chooseWeights() {
  const Profile &first = *runs_.front().profile;
  for (const ProfileWeight &weight : first.weights) {
    bool isShared = true;
    for (const Run &run : runs_) {
      std::optional<WeightIndex> theirs = run.profile->findWeight(weight.name);
      isShared &= theirs.has_value();
      if (theirs && run.profile->weights[*theirs].unit != weight.unit)
        return makeError("'" + run.profile->title + "' has " + weight.name + " in " +
                         run.profile->weights[*theirs].unit + ", '" + first.title + "' in " +
                         weight.unit);
    }
    if (!isShared)
      continue;
    if (weight.name == first.weights[first.shown].name)
      diff_.shown = WeightIndex(diff_.weights.size());
    diff_.weights.emplace_back();
    diff_.weights.back().name = weight.name;
    diff_.weights.back().unit = weight.unit;
  }
  if (diff_.weights.empty())
    return makeError("the profiles have no weight in common");
  return Error::success();
}

// Numbers the functions of the new side first, then those that are gone.
void DiffBuilder::joinFunctions() {
  DiffSide sides[2];
  for (size_t i = 0; i < runs_.size(); ++i) {
    DiffSide &side = sides[i >= before_.size()];
    Run &run = runs_[i];
    run.functions = side.functions.add(*run.profile);
    const ContextTree &tree = run.profile->tree;
    for (NodeIndex node = 1; node < tree.size(); ++node) {
      FunctionIndex caller = tree[tree[node].parent].function;
      side.calls.insert({caller == noFunction ? noFunction : run.functions[caller],
                         run.functions[tree[node].function]});
    }
  }
  const auto &[before, after] = sides;
  std::vector<uint32_t> modules = matchModules(before.functions, after.functions);
  for (size_t i = 0; i < modules.size(); ++i) {
    if (modules[i] == noModule)
      continue;
    const std::string &former = before.functions.modules()[modules[i]].name;
    const std::string &name = after.functions.modules()[i].name;
    if (former != name)
      diff_.renamedModules.push_back({former, name});
  }
  std::vector<MatchedFunction> matches = matchFunctions(before, after, modules);
  diff_.modules = after.functions.modules().vec();
  std::vector<FunctionIndex> places(before.functions.functions().size(), noFunction);
  for (FunctionIndex i = 0; i < matches.size(); ++i) {
    auto [former, match] = matches[i];
    DiffFunction function{.function = after.functions.functions()[i],
                          .presence = former == noFunction ? Presence::added : Presence::both,
                          .match = match};
    if (former != noFunction) {
      places[former] = i;
      const std::string &name = before.functions.functions()[former].name;
      if (name != function.function.name)
        function.formerName = name;
    }
    diff_.functions.push_back(std::move(function));
  }
  // A module of both sides has the name that it has on the new side.
  std::vector<uint32_t> modulePlaces(before.functions.modules().size(), noModule);
  for (auto [module, former] : enumerate(modules))
    if (former != noModule)
      modulePlaces[former] = uint32_t(module);
  for (auto [place, module] : zip_equal(modulePlaces, before.functions.modules()))
    if (place == noModule) {
      place = uint32_t(diff_.modules.size());
      diff_.modules.push_back(module);
    }
  for (FunctionIndex i = 0; i < places.size(); ++i) {
    if (places[i] != noFunction)
      continue;
    places[i] = FunctionIndex(diff_.functions.size());
    ProfileFunction function = before.functions.functions()[i];
    if (function.kind != FunctionKind::pseudo)
      function.module = modulePlaces[function.module];
    diff_.functions.push_back({.function = std::move(function), .presence = Presence::gone});
  }
  for (size_t i = 0; i < before_.size(); ++i)
    for (FunctionIndex &function : runs_[i].functions)
      function = places[function];
}

void DiffBuilder::joinContexts() {
  ProfileBuilder builder{Profile()};
  BitVector has[2] = {BitVector(1, true), BitVector(1, true)};
  for (size_t i = 0; i < runs_.size(); ++i) {
    Run &run = runs_[i];
    const ContextTree &tree = run.profile->tree;
    BitVector &present = has[i >= before_.size()];
    run.contexts.assign(tree.size(), ContextTree::root);
    for (NodeIndex node = 1; node < tree.size(); ++node) {
      run.contexts[node] =
          builder.child(run.contexts[tree[node].parent], run.functions[tree[node].function]);
      present.resize(std::max<size_t>(present.size(), run.contexts[node] + 1));
      present.set(run.contexts[node]);
    }
  }
  diff_.tree = builder.take().tree;
  for (BitVector &present : has)
    present.resize(diff_.tree.size());
  for (NodeIndex node = 0; node < diff_.tree.size(); ++node)
    diff_.contexts.push_back(!has[0][node]   ? Presence::added
                             : !has[1][node] ? Presence::gone
                                             : Presence::both);

  isRecursive_.resize(diff_.tree.size());
  std::vector<unsigned> open(diff_.functions.size());
  std::vector<FunctionIndex> stack;
  ContextTree::Children children = diff_.tree.children();
  for (CallTreeWalk walk(children); walk.next();) {
    for (; stack.size() >= walk.depth(); stack.pop_back())
      --open[stack.back()];
    FunctionIndex function = diff_.tree[walk.node()].function;
    isRecursive_[walk.node()] = open[function]++ > 0;
    stack.push_back(function);
  }
}

// Adds the values of a run to the spreads of its side.
void DiffBuilder::add(std::vector<Change> &changes, size_t run, ArrayRef<double> values) const {
  bool isFirst = run == 0 || run == before_.size();
  bool isLast = run + 1 == before_.size() || run + 1 == runs_.size();
  changes.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    Spread &spread = changes[i].*sideOf(run);
    spread.min = isFirst ? values[i] : std::min(spread.min, values[i]);
    spread.max = isFirst ? values[i] : std::max(spread.max, values[i]);
    spread.mean += values[i];
    if (isLast)
      spread.mean /= double(run < before_.size() ? before_.size() : after_.size());
  }
}

std::vector<double> DiffBuilder::callsByFunction(const Run &run) const {
  std::optional<WeightIndex> weight = run.profile->findWeight("calls");
  if (!weight)
    return {};
  std::vector<double> result(diff_.functions.size());
  for (NodeIndex node = 1; node < run.profile->tree.size(); ++node)
    result[run.functions[run.profile->tree[node].function]] +=
        double(run.profile->self(node, *weight));
  return result;
}

void DiffBuilder::measure(WeightIndex index) {
  DiffWeight &weight = diff_.weights[index];
  for (size_t i = 0; i < runs_.size(); ++i) {
    const Run &run = runs_[i];
    WeightIndex theirs = *run.profile->findWeight(weight.name);
    std::vector<double> self(diff_.tree.size());
    for (NodeIndex node = 1; node < run.contexts.size(); ++node)
      self[run.contexts[node]] += double(run.profile->self(node, theirs));
    std::vector<double> inclusive = self;
    for (auto node = NodeIndex(diff_.tree.size()); node-- > 1;)
      inclusive[diff_.tree[node].parent] += inclusive[node];
    std::vector<double> functionSelf(diff_.functions.size());
    std::vector<double> functionInclusive(diff_.functions.size());
    for (NodeIndex node = 1; node < diff_.tree.size(); ++node) {
      FunctionIndex function = diff_.tree[node].function;
      functionSelf[function] += self[node];
      if (!isRecursive_[node])
        functionInclusive[function] += inclusive[node];
    }
    add(weight.self, i, self);
    add(weight.inclusive, i, inclusive);
    add(weight.functionSelf, i, functionSelf);
    add(weight.functionInclusive, i, functionInclusive);
    std::vector<double> perCall = callsByFunction(run);
    for (size_t function = 0; function < perCall.size(); ++function)
      perCall[function] =
          perCall[function] > 0 ? functionInclusive[function] / perCall[function] : 0;
    add(weight.perCall, i, perCall);
  }
}

Expected<ProfileDiff> DiffBuilder::build() {
  for (ArrayRef<Profile> side : {before_, after_})
    for (const Profile &profile : side)
      runs_.push_back({&profile, {}});
  diff_.runsBefore = before_.size();
  diff_.runsAfter = after_.size();
  if (Error error = chooseWeights())
    return error;
  joinFunctions();
  joinContexts();
  for (WeightIndex weight = 0; weight < diff_.weights.size(); ++weight)
    measure(weight);
  return std::move(diff_);
}

Expected<ProfileDiff> warpo::diffProfiles(ArrayRef<Profile> before, ArrayRef<Profile> after) {
  return DiffBuilder(before, after).build();
}
