//===- PhaseWeights.cpp ---------------------------------------------------===//

#include "warpo/Profile/PhaseWeights.h"
#include "Contexts.h"

using namespace llvm;
using namespace warpo;

static std::optional<NodeIndex> findPhase(const Profile &profile, StringRef name) {
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    if (profile.tree[node].parent == ContextTree::root && profile.isPseudo(node) &&
        profile.name(node) == name)
      return node;
  return std::nullopt;
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
  auto set = [&](StringRef weight, NodeIndex node, uint64_t amount) {
    if (std::optional<WeightIndex> known = profile.findWeight(weight))
      profile.weights[*known].self[node] = amount;
  };
  for (uint32_t phase = 0; phase < phases.phases().size(); ++phase) {
    const HostPhases::Phase &whole = phases.phases()[phase];
    // A program may burn fuel in calls that are not traced.
    if (whole.fuel && !profile.findWeight("fuel"))
      profile.weights.push_back({"fuel", clocks.fuel, std::vector<uint64_t>(profile.tree.size())});
    std::optional<NodeIndex> node = findPhase(profile, whole.name);
    if (!node && onlyFuel && !whole.fuel) {
      leftOut.push_back(whole.name);
      continue;
    }
    if (!node)
      node = addPhase(profile, whole.name);
    uint64_t time = cover.ownTime(phase);
    set("time", *node, clocks.scale ? clocks.scale->toNanoseconds(time) : time);
    set("calls", *node, whole.count);
    set("fuel", *node, cover.ownFuel(phase).value_or(0));
  }
  return leftOut;
}
