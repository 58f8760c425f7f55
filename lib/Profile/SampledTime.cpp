//===- SampledTime.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/SampledTime.h"
#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

double warpo::sampledShareError(uint64_t part, uint64_t all) {
  if (all == 0)
    return 0;
  double share = double(part) / double(all);
  return std::sqrt(share * (1 - share) / double(all));
}

/// For each function of `sampled`, the one of `traced`, or noFunction.
static std::vector<FunctionIndex> matchByName(const Profile &traced, const Profile &sampled) {
  bool byModule = traced.modules.size() > 1 && sampled.modules.size() > 1;
  auto keyOf = [&](const Profile &profile, const ProfileFunction &function) {
    return byModule ? moduleLabel(profile.modules[function.module]) + '\0' + function.name
                    : function.name;
  };
  StringMap<FunctionIndex> known;
  for (const auto &[index, function] : enumerate(traced.functions))
    if (function.kind != FunctionKind::pseudo)
      known.try_emplace(keyOf(traced, function), FunctionIndex(index));
  std::vector<FunctionIndex> matches;
  for (const ProfileFunction &function : sampled.functions) {
    auto found =
        function.kind == FunctionKind::pseudo ? known.end() : known.find(keyOf(sampled, function));
    matches.push_back(found == known.end() ? noFunction : found->second);
  }
  return matches;
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

Expected<SampledTime> warpo::withSampledTime(const Profile &traced, const Profile &sampled) {
  std::optional<WeightIndex> time = sampled.findWeight(Measure::timeClock);
  std::optional<WeightIndex> samples = sampled.findWeight("samples");
  if (!time || !samples)
    return makeError(sampled.title + " has no samples with time");
  std::vector<FunctionIndex> matches = matchByName(traced, sampled);
  if (all_of(matches, [](FunctionIndex match) { return match == noFunction; }))
    return makeError("no function of " + sampled.title + " is in " + traced.title +
                     ": they are not of the same program");

  ProfileBuilder builder = startWith(traced, sampled.weights[*time]);
  WeightIndex timeSamples = WeightIndex(builder.profile().weights.size() - 1);
  SampledTime result;
  std::vector<NodeIndex> places(sampled.tree.size(), ContextTree::root);
  for (NodeIndex node = 1; node < sampled.tree.size(); ++node) {
    NodeIndex caller = places[sampled.tree[node].parent];
    FunctionIndex function = matches[sampled.tree[node].function];
    places[node] = function == noFunction ? caller : builder.child(caller, function);
    uint64_t spent = sampled.self(node, *time);
    if (function == noFunction)
      result.timeElsewhere = SaturatingAdd(result.timeElsewhere, spent);
    if (places[node] == ContextTree::root)
      continue;
    builder.add(places[node], 0, spent);
    builder.add(places[node], timeSamples, sampled.self(node, *samples));
  }
  result.profile = builder.take();
  return result;
}
