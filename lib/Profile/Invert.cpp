//===- Invert.cpp - Callers below their callees ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

namespace {

/// A context whose weights are on their way up its stack.
struct Climber {
  NodeIndex context;
  /// The next caller to pass; the root if all have been passed.
  NodeIndex caller;
  /// Where it stands in the inverted tree.
  NodeIndex place;
};

bool hasWeight(const Profile &profile, NodeIndex node) {
  return any_of(profile.weights,
                [&](const ProfileWeight &weight) { return weight.self[node] != 0; });
}

} // namespace

// A stack of a million frames climbs a million levels: a profile as deep as that takes time in the
// square of its depth. As many steps are taken as contexts that are not deeper than this may need.
static constexpr uint64_t stepsPerContext = 1000;

// All stacks climb a level at a time: so that beside the result there is one entry a context, and
// what a full tree lacks are the callers farthest from the functions that have the weight.
Profile warpo::invert(const Profile &profile, uint32_t maxContexts, uint64_t *cutStacks) {
  ProfileBuilder builder(profile.emptyCopy());
  std::vector<Climber> climbers;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    if (hasWeight(profile, node))
      climbers.push_back({node, profile.tree[node].parent,
                          builder.child(ContextTree::root, profile.tree[node].function)});
  uint64_t cut = 0;
  uint64_t steps = 0;
  while (!climbers.empty()) {
    // A level is made whole or not at all, so that it does not depend on the order of contexts
    // which stacks are cut.
    bool isFull =
        builder.profile().tree.size() > maxContexts || steps > stepsPerContext * maxContexts;
    steps += climbers.size();
    size_t climbing = 0;
    for (Climber climber : climbers) {
      if (climber.caller == ContextTree::root || isFull) {
        cut += climber.caller != ContextTree::root;
        builder.addAll(climber.place, profile, climber.context);
        continue;
      }
      auto [parent, function] = profile.tree[climber.caller];
      climbers[climbing++] = {climber.context, parent, builder.child(climber.place, function)};
    }
    climbers.resize(climbing);
  }
  if (cutStacks)
    *cutStacks = cut;
  return builder.take();
}
