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

/// For each function of `sampled`, the one of `traced`, or noFunction. Of several of the same name
/// it is the one with the same id, which records of one module give to the same function, whether
/// it is instrumented or not.
static std::vector<FunctionIndex> matchFunctions(const Profile &traced, const Profile &sampled) {
  bool byModule = traced.modules.size() > 1 && sampled.modules.size() > 1;
  auto nameOf = [&](const Profile &profile, const ProfileFunction &function) {
    return byModule ? moduleLabel(profile.modules[function.module]) + '\0' + function.name
                    : function.name;
  };
  auto withId = [](std::string name, int32_t id) { return name + '\0' + std::to_string(id); };
  StringMap<FunctionIndex> byName, byId;
  for (const auto &[index, function] : enumerate(traced.functions)) {
    if (function.kind == FunctionKind::pseudo)
      continue;
    std::string name = nameOf(traced, function);
    byId.try_emplace(withId(name, function.id), FunctionIndex(index));
    byName.try_emplace(name, FunctionIndex(index));
  }
  std::vector<FunctionIndex> matches(sampled.functions.size(), noFunction);
  for (auto [function, match] : zip_equal(sampled.functions, matches)) {
    if (function.kind == FunctionKind::pseudo)
      continue;
    std::string name = nameOf(sampled, function);
    if (auto same = byId.find(withId(name, function.id)); same != byId.end())
      match = same->second;
    else if (auto other = byName.find(name); other != byName.end())
      match = other->second;
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

/// Puts the functions of the host and the engine that `sampled` has among those of `builder`, if
/// they can be told: in a record all functions of modules have ids. Returns which they are there,
/// by those of `sampled`.
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

/// Where samples with a frame belong. Behind functions of the host the program goes on as if it had
/// called itself.
struct Place {
  NodeIndex traced = ContextTree::root;
  NodeIndex own = ContextTree::root;
};

} // namespace

Expected<SampledTime> warpo::withSampledTime(const Profile &traced, const Profile &sampled) {
  std::optional<WeightIndex> time = sampled.findWeight(Measure::timeClock);
  std::optional<WeightIndex> samples = sampled.findWeight("samples");
  if (!time || !samples)
    return makeError(sampled.title + " has no samples with time");
  std::vector<FunctionIndex> matches = matchFunctions(traced, sampled);
  if (all_of(matches, [](FunctionIndex match) { return match == noFunction; }))
    return makeError("no function of " + sampled.title + " is in " + traced.title +
                     ": they are not of the same program");

  ProfileBuilder builder = startWith(traced, sampled.weights[*time]);
  std::vector<FunctionIndex> hosts = keepHostFunctions(builder, sampled);
  WeightIndex timeSamples = WeightIndex(builder.profile().weights.size() - 1);
  SampledTime result;
  std::vector<Place> places(sampled.tree.size());
  for (NodeIndex node = 1; node < sampled.tree.size(); ++node) {
    Place &place = places[node];
    const Place &caller = places[sampled.tree[node].parent];
    FunctionIndex function = matches[sampled.tree[node].function];
    FunctionIndex host = hosts[sampled.tree[node].function];
    bool isKept = function == noFunction && host != noFunction && caller.own != ContextTree::root;
    place.traced = function == noFunction ? caller.traced : builder.child(caller.traced, function);
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
