//===- RootAt.cpp - Stacks from a function on -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Contexts.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

Profile warpo::rootAt(const Profile &profile, const NameGlobs &functions) {
  BitVector matches = matchingFunctions(profile, functions);
  ProfileBuilder builder(profile.emptyCopy());
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    FunctionIndex function = profile.tree[node].function;
    if (caller == ContextTree::root && !matches[function])
      return {ContextTree::root, ContextTree::root};
    NodeIndex place = builder.child(caller, function);
    return {place, place};
  });
}
