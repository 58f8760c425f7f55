//===- JoinFunctions.cpp - Several functions that count as one ------------===//

#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

Profile warpo::joinFunctions(const Profile &profile, ArrayRef<FunctionIndex> representatives) {
  ProfileBuilder builder(profile.emptyCopy());
  std::vector<NodeIndex> ours(profile.tree.size(), ContextTree::root);
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    auto [parent, function] = profile.tree[node];
    ours[node] = builder.child(ours[parent], representatives[function]);
    builder.addAll(ours[node], profile, node);
  }
  return builder.take();
}
