//===- LimitDepth.cpp - Stacks of a few levels ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Contexts.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

static Profile limit(const Profile &profile, uint32_t levels, bool drops) {
  ProfileBuilder builder(profile.emptyCopy());
  std::vector<uint32_t> depths(profile.tree.size());
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    auto [parent, function] = profile.tree[node];
    depths[node] = depths[parent] + 1;
    if (depths[node] > levels)
      return {caller, drops ? ContextTree::root : caller};
    NodeIndex place = builder.child(caller, function);
    return {place, place};
  });
}

Profile warpo::limitDepth(const Profile &profile, uint32_t levels) {
  return limit(profile, levels, /*drops=*/false);
}

Profile warpo::dropDepth(const Profile &profile, uint32_t levels) {
  return limit(profile, levels, /*drops=*/true);
}
