//===- LimitDepth.cpp - Stacks of a few levels ----------------------------===//

#include "Contexts.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

Profile warpo::limitDepth(const Profile &profile, uint32_t levels) {
  ProfileBuilder builder(profile.emptyCopy());
  std::vector<uint32_t> depths(profile.tree.size());
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    auto [parent, function] = profile.tree[node];
    depths[node] = depths[parent] + 1;
    NodeIndex place = depths[node] <= levels ? builder.child(caller, function) : caller;
    return {place, place};
  });
}
