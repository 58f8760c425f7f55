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

// A stack of a million frames climbs a million levels, so that time grows with the square of the
// depth. The number of steps is limited to what contexts of this depth may need.
static constexpr uint64_t stepsPerContext = 1000;

// All stacks climb one level at a time. This needs only one entry for each context beside the
// result, and a full tree lacks the callers that are farthest from the functions with the weight.
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
    // A level is completed or omitted, so that the order of contexts does not decide which stacks
    // are cut.
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
