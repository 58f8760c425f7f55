//===- GroupByModule.cpp - A frame for each module ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Contexts.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

Profile warpo::groupByModule(const Profile &profile) {
  ProfileBuilder builder(profile.emptyCopy());
  std::vector<FunctionIndex> frames;
  for (const ProfileModule &module : profile.modules)
    frames.push_back(addPseudoFunction(builder.profile(), moduleLabel(module)));
  // For each context, whether it or one of its callers is a function.
  BitVector isInFunction(profile.tree.size());
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    const ProfileFunction &function = profile.function(node);
    // Modules stand below phases and frames of the host. In a record without modules, a function
    // has an id all the same.
    bool isOfHost = function.id == 0 && isNoModule(profile.modules[function.module]);
    bool isFunction = function.kind != FunctionKind::pseudo && !isOfHost;
    bool isInner = isInFunction[profile.tree[node].parent];
    isInFunction[node] = isInner || isFunction;
    if (isFunction && !isInner)
      caller = builder.child(caller, frames[function.module]);
    NodeIndex place = builder.child(caller, profile.tree[node].function);
    return {place, place};
  });
}
