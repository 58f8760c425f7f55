//===- SampledTime.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SampledFunctions.h"
#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace warpo;

std::vector<double> warpo::sampledShareErrors(const Profile &profile, WeightIndex time,
                                              WeightIndex samples) {
  // The error of a ratio of sums, from the squares of what is summed.
  struct Samples {
    double time = 0, squares = 0;
    void operator+=(const Samples &other) { time += other.time, squares += other.squares; }
  };
  std::vector<Samples> sums(profile.functions.size());
  Samples all;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    auto spent = double(profile.self(node, time));
    uint64_t count = profile.self(node, samples);
    if (count == 0)
      continue;
    Samples here = {spent, spent * spent / double(count)};
    sums[profile.tree[node].function] += here;
    all += here;
  }
  std::vector<double> errors(sums.size());
  if (all.time == 0)
    return errors;
  for (auto [sum, error] : zip_equal(sums, errors)) {
    double share = sum.time / all.time;
    double variance =
        (1 - share) * (1 - share) * sum.squares + share * share * (all.squares - sum.squares);
    error = std::sqrt(std::max(variance, 0.0)) / all.time;
  }
  return errors;
}

/// The traced profile with its calls and what else it counts, in the order of its contexts, and
/// with room for the samples' time, which comes first.
static ProfileBuilder startWith(const Profile &traced, const ProfileWeight &time) {
  Profile start;
  start.title = traced.title;
  start.modules = traced.modules;
  start.functions = traced.functions;
  start.weights.push_back({time.name, time.unit, {0}});
  std::vector<WeightIndex> kept;
  for (const auto &[index, weight] : enumerate(traced.weights)) {
    if (weight.name == time.name || weight.name == "probe")
      continue;
    kept.push_back(WeightIndex(index));
    start.weights.push_back({weight.name, weight.unit, {0}});
  }
  start.weights.push_back({timeSamplesWeight.str(), "samples", {0}});
  ProfileBuilder builder(std::move(start));
  for (NodeIndex node = 1; node < traced.tree.size(); ++node) {
    // A tree that is walked in order gets the same indices again.
    NodeIndex same = builder.child(traced.tree[node].parent, traced.tree[node].function);
    for (const auto &[place, weight] : enumerate(kept))
      builder.add(same, WeightIndex(place + 1), traced.weights[weight], node);
  }
  return builder;
}

/// Adds the host's and the engine's functions in `sampled` to `builder`, if they are recognisable:
/// in a record all functions of modules have ids. Returns their new numbers, by those of `sampled`.
static std::vector<FunctionIndex> keepHostFunctions(ProfileBuilder &builder,
                                                    const Profile &sampled) {
  bool hasIds = any_of(sampled.functions, [](const auto &function) { return function.id != 0; });
  std::vector<FunctionIndex> kept(sampled.functions.size(), noFunction);
  Profile &profile = builder.profile();
  for (auto [function, place] : zip_equal(sampled.functions, kept)) {
    if (!hasIds || function.id != 0 || function.kind != FunctionKind::function)
      continue;
    auto none = uint32_t(find_if(profile.modules, isNoModule) - profile.modules.begin());
    if (none == profile.modules.size())
      profile.modules.emplace_back();
    place = FunctionIndex(profile.functions.size());
    profile.functions.push_back({.name = function.name, .module = none});
  }
  return kept;
}

namespace {

/// The context for samples with a frame. Behind functions of the host the program goes on as if it
/// had called itself.
struct Place {
  NodeIndex traced = ContextTree::root;
  NodeIndex own = ContextTree::root;
};

} // namespace

using PlaceInTree = std::pair<NodeIndex, FunctionIndex>;

/// If samples call a function that the trace has one level deeper: the context in between. Its
/// function never has samples: it is an imported one, which only traces have, or one that the
/// engine inlines.
static DenseMap<PlaceInTree, NodeIndex> findUnseen(const Profile &traced,
                                                   ArrayRef<FunctionIndex> sampled) {
  std::vector<bool> isSeen(traced.functions.size());
  for (FunctionIndex function : sampled)
    if (function != noFunction)
      isSeen[function] = true;
  DenseMap<PlaceInTree, NodeIndex> unseen;
  ArrayRef<ContextTree::Context> nodes = traced.tree.nodes();
  for (const ContextTree::Context &node : nodes.drop_front()) {
    const ContextTree::Context &caller = nodes[node.parent];
    if (node.parent == ContextTree::root || isSeen[caller.function])
      continue;
    auto [known, isNew] = unseen.try_emplace({caller.parent, node.function}, node.parent);
    if (!isNew)
      known->second = ContextTree::root; // one of several
  }
  for (const ContextTree::Context &node : nodes.drop_front())
    unseen.erase({node.parent, node.function});
  return unseen;
}

Expected<SampledTime> warpo::withSampledTime(ProfileOfModules trace, ProfileOfModules samplesOf) {
  const Profile &traced = trace.profile, &sampled = samplesOf.profile;
  std::optional<WeightIndex> time = sampled.findWeight(Measure::timeClock);
  std::optional<WeightIndex> samples = sampled.findWeight("samples");
  if (!time || !samples)
    return makeError(sampled.title + " has no samples with time");
  auto matched = matchSampledFunctions(trace, samplesOf);
  if (!matched)
    return matched.takeError();
  const std::vector<FunctionIndex> &matches = matched->functions;

  ProfileBuilder builder = startWith(traced, sampled.weights[*time]);
  std::vector<FunctionIndex> hosts = keepHostFunctions(builder, sampled);
  const DenseMap<PlaceInTree, NodeIndex> unseen = findUnseen(traced, matches);
  WeightIndex timeSamples = WeightIndex(builder.profile().weights.size() - 1);
  SampledTime result;
  result.otherModules = matched->otherModules;
  std::vector<Place> places(sampled.tree.size());
  for (NodeIndex node = 1; node < sampled.tree.size(); ++node) {
    Place &place = places[node];
    const Place &caller = places[sampled.tree[node].parent];
    FunctionIndex function = matches[sampled.tree[node].function];
    FunctionIndex host = hosts[sampled.tree[node].function];
    bool isKept = function == noFunction && host != noFunction && caller.own != ContextTree::root;
    if (function == noFunction) {
      place.traced = caller.traced;
    } else {
      NodeIndex between = unseen.lookup({caller.traced, function});
      place.traced =
          builder.child(between == ContextTree::root ? caller.traced : between, function);
    }
    place.own = isKept ? builder.child(caller.own, host) : place.traced;
    uint64_t spent = sampled.self(node, *time);
    if (function == noFunction && !isKept)
      result.timeElsewhere = SaturatingAdd(result.timeElsewhere, spent);
    if (place.own == ContextTree::root)
      continue;
    builder.add(place.own, 0, spent);
    builder.add(place.own, timeSamples, sampled.self(node, *samples));
  }
  result.profile = builder.take();
  return result;
}
