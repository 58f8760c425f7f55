//===- Focus.cpp - Only stacks with, or without, some functions -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "Contexts.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

// The contexts that have a match on their stack.
static BitVector contextsWithin(const Profile &profile, const NameGlobs &functions) {
  BitVector matches = matchingFunctions(profile, functions);
  BitVector within(profile.tree.size());
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    auto [parent, function] = profile.tree[node];
    within[node] = within[parent] || matches[function];
  }
  return within;
}

Profile warpo::focus(const Profile &profile, const NameGlobs &functions) {
  BitVector within = contextsWithin(profile, functions);
  // Callers of what is shown stay, but without their own weights.
  BitVector stays = within;
  for (auto node = NodeIndex(profile.tree.size()); node-- > 1;)
    if (stays[node])
      stays.set(profile.tree[node].parent);

  ProfileBuilder builder(profile.emptyCopy());
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    if (!stays[node])
      return {ContextTree::root, ContextTree::root};
    NodeIndex place = builder.child(caller, profile.tree[node].function);
    return {place, within[node] ? place : ContextTree::root};
  });
}

Profile warpo::ignore(const Profile &profile, const NameGlobs &functions) {
  BitVector within = contextsWithin(profile, functions);
  ProfileBuilder builder(profile.emptyCopy());
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    if (within[node])
      return {ContextTree::root, ContextTree::root};
    NodeIndex place = builder.child(caller, profile.tree[node].function);
    return {place, place};
  });
}
