//===- Contexts.h - What the views are written with -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_CONTEXTS_H
#define WARPO_LIB_PROFILE_CONTEXTS_H

#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Support/NameGlobs.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

/// Where a context goes.
struct ContextPlace {
  /// The place that its callees are called from.
  NodeIndex forCallees;
  /// The place for its own weights; the root if they are to be left out.
  NodeIndex forWeights;
};

/// Builds a profile on `builder` by giving each context of `profile` a place, callers first.
/// `place` is called with the context and with its caller's place for callees.
template <typename Place>
Profile placeContexts(const Profile &profile, ProfileBuilder &builder, Place place) {
  std::vector<NodeIndex> places(profile.tree.size(), ContextTree::root);
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    ContextPlace found = place(node, places[profile.tree[node].parent]);
    places[node] = found.forCallees;
    if (found.forWeights != ContextTree::root)
      builder.addAll(found.forWeights, profile, node);
  }
  return builder.take();
}

/// The functions whose names match.
inline llvm::BitVector matchingFunctions(const Profile &profile, const NameGlobs &globs) {
  llvm::BitVector result(profile.functions.size());
  for (size_t i = 0; i < profile.functions.size(); ++i)
    result[i] = globs.matches(profile.functions[i].name);
  return result;
}

/// Adds an entry that is not a function.
inline FunctionIndex addPseudoFunction(Profile &profile, llvm::StringRef name) {
  profile.functions.push_back({.name = name.str(), .kind = FunctionKind::pseudo});
  return FunctionIndex(profile.functions.size() - 1);
}

} // namespace warpo

#endif
