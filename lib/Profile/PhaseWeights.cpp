//===- PhaseWeights.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/PhaseWeights.h"
#include "Contexts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace warpo;

/// The existing contexts of phases, by name.
static StringMap<NodeIndex> findPhases(const Profile &profile) {
  StringMap<NodeIndex> phases;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    if (profile.tree[node].parent == ContextTree::root &&
        profile.function(node).attribute == HostPhases::attribute)
      phases.try_emplace(profile.name(node), node);
  return phases;
}

static NodeIndex addPhase(Profile &profile, StringRef name) {
  FunctionIndex function = addPseudoFunction(profile, name);
  profile.functions[function].attribute = HostPhases::attribute;
  for (ProfileWeight &weight : profile.weights)
    weight.self.push_back(0);
  return profile.tree.append(ContextTree::root, function);
}

std::vector<std::string> warpo::addPhaseWeights(Profile &profile, const HostPhases &phases,
                                                const PhaseCover &cover, ArrayRef<Measure> measures,
                                                std::optional<MeasureIndex> only) {
  std::vector<std::string> leftOut;
  const StringMap<NodeIndex> nodes = findPhases(profile);
  auto set = [&](StringRef weight, NodeIndex node, uint64_t amount) {
    if (std::optional<WeightIndex> known = profile.findWeight(weight))
      profile.weights[*known].self[node] = amount;
  };
  for (uint32_t phase = 0; phase < phases.phases().size(); ++phase) {
    const HostPhases::Phase &whole = phases.phases()[phase];
    // A program may spend something in calls that are not traced.
    for (const auto &[index, measure] : enumerate(measures))
      if (whole.amounts[index] && !profile.findWeight(measure.name))
        profile.weights.push_back(
            {measure.name, measure.shownUnit().str(), std::vector<uint64_t>(profile.tree.size())});
    auto known = nodes.find(whole.name);
    if (known == nodes.end() && only && !whole.amounts[*only]) {
      leftOut.push_back(whole.name);
      continue;
    }
    NodeIndex node = known == nodes.end() ? addPhase(profile, whole.name) : known->second;
    set("calls", node, whole.count);
    for (const auto &[index, measure] : enumerate(measures))
      set(measure.name, node, measure.shown(cover.own(phase, MeasureIndex(index)).value_or(0)));
  }
  return leftOut;
}
