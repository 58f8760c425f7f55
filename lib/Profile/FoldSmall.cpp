//===- FoldSmall.cpp - One context for all that weigh little --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Contexts.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

Profile warpo::foldSmall(const Profile &profile, double minShare) {
  std::vector<uint64_t> weights = profile.inclusive();
  double smallest = double(weights[ContextTree::root]) * minShare;
  ProfileBuilder builder(profile.emptyCopy());
  FunctionIndex small = addPseudoFunction(builder.profile(), "(small)");
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    // Contexts below a small one are smaller still.
    if (builder.profile().tree[caller].function == small)
      return {caller, caller};
    bool isSmall = double(weights[node]) < smallest;
    NodeIndex place = builder.child(caller, isSmall ? small : profile.tree[node].function);
    return {place, place};
  });
}
