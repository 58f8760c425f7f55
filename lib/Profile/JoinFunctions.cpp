//===- JoinFunctions.cpp - Several functions that count as one ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Contexts.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

Profile warpo::joinFunctions(const Profile &profile, ArrayRef<FunctionIndex> representatives) {
  ProfileBuilder builder(profile.emptyCopy());
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    NodeIndex place = builder.child(caller, representatives[profile.tree[node].function]);
    return {place, place};
  });
}
