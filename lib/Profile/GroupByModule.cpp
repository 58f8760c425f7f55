//===- GroupByModule.cpp - A frame for each module ------------------------===//

#include "Contexts.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

Profile warpo::groupByModule(const Profile &profile) {
  ProfileBuilder builder(profile.emptyCopy());
  std::vector<FunctionIndex> frames;
  for (const ProfileModule &module : profile.modules)
    frames.push_back(addPseudoFunction(builder.profile(), moduleLabel(module)));
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    const ProfileFunction &function = profile.function(node);
    if (caller == ContextTree::root && function.kind != FunctionKind::pseudo)
      caller = builder.child(caller, frames[function.module]);
    NodeIndex place = builder.child(caller, profile.tree[node].function);
    return {place, place};
  });
}
