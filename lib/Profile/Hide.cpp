//===- Hide.cpp - Stacks without some of their functions ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Contexts.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

Profile warpo::hide(const Profile &profile, const NameGlobs &functions) {
  BitVector hidden = matchingFunctions(profile, functions);
  ProfileBuilder builder(profile.emptyCopy());
  FunctionIndex hiddenFunction = addPseudoFunction(builder.profile(), "(hidden)");
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    FunctionIndex function = profile.tree[node].function;
    if (!hidden[function]) {
      NodeIndex place = builder.child(caller, function);
      return {place, place};
    }
    if (caller == ContextTree::root)
      return {caller, builder.child(caller, hiddenFunction)};
    return {caller, caller};
  });
}

Profile warpo::onlyModules(const Profile &profile, const NameGlobs &modules) {
  BitVector matches(profile.modules.size());
  for (size_t i = 0; i < profile.modules.size(); ++i)
    matches[i] = modules.matchesModule(profile.modules[i].id, profile.modules[i].name);
  ProfileBuilder builder(profile.emptyCopy());
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    const ProfileFunction &function = profile.function(node);
    // A context that is not a function, such as a loss, has no module: it stays if its caller
    // stays.
    bool stays = function.kind == FunctionKind::pseudo ? caller != ContextTree::root
                                                       : matches[function.module];
    NodeIndex place = stays ? builder.child(caller, profile.tree[node].function) : caller;
    return {place, place};
  });
}
