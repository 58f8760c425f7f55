//===- PhaseWeights.cpp ---------------------------------------------------===//

#include "warpo/Profile/PhaseWeights.h"
#include "Contexts.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace warpo;

/// The contexts that phases have by now, by their names.
static StringMap<NodeIndex> findPhases(const Profile &profile) {
  StringMap<NodeIndex> phases;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    if (profile.tree[node].parent == ContextTree::root && profile.isPseudo(node))
      phases.try_emplace(profile.name(node), node);
  return phases;
}

static NodeIndex addPhase(Profile &profile, StringRef name) {
  FunctionIndex function = addPseudoFunction(profile, name);
  for (ProfileWeight &weight : profile.weights)
    weight.self.push_back(0);
  return profile.tree.append(ContextTree::root, function);
}

std::vector<std::string> warpo::addPhaseWeights(Profile &profile, const HostPhases &phases,
                                                const PhaseCover &cover,
                                                const ProfileClocks &clocks, bool onlyFuel) {
  std::vector<std::string> leftOut;
  const StringMap<NodeIndex> nodes = findPhases(profile);
  auto set = [&](StringRef weight, NodeIndex node, uint64_t amount) {
    if (std::optional<WeightIndex> known = profile.findWeight(weight))
      profile.weights[*known].self[node] = amount;
  };
  for (uint32_t phase = 0; phase < phases.phases().size(); ++phase) {
    const HostPhases::Phase &whole = phases.phases()[phase];
    // A program may burn fuel in calls that are not traced.
    if (whole.fuel && !profile.findWeight("fuel"))
      profile.weights.push_back({"fuel", clocks.fuel, std::vector<uint64_t>(profile.tree.size())});
    auto known = nodes.find(whole.name);
    if (known == nodes.end() && onlyFuel && !whole.fuel) {
      leftOut.push_back(whole.name);
      continue;
    }
    NodeIndex node = known == nodes.end() ? addPhase(profile, whole.name) : known->second;
    uint64_t time = cover.ownTime(phase);
    set("time", node, clocks.scale ? clocks.scale->toNanoseconds(time) : time);
    set("calls", node, whole.count);
    set("fuel", node, cover.ownFuel(phase).value_or(0));
  }
  return leftOut;
}
