//===- Contexts.h - Helpers for views -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_CONTEXTS_H
#define WARPO_LIB_PROFILE_CONTEXTS_H

#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Support/NameGlobs.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

/// The place of a context in the new profile.
struct ContextPlace {
  /// The caller of its callees.
  NodeIndex forCallees;
  /// The context for its self weights; the root to drop them.
  NodeIndex forWeights;
};

/// Builds a profile with `builder` by finding a place for each context of `profile`, callers first.
/// `place` is called with the context and with forCallees of its caller.
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

/// The functions with matching names.
inline llvm::BitVector matchingFunctions(const Profile &profile, const NameGlobs &globs) {
  llvm::BitVector result(profile.functions.size());
  for (size_t i = 0; i < profile.functions.size(); ++i)
    result[i] = globs.matches(profile.functions[i].name);
  return result;
}

/// Adds a pseudo function.
inline FunctionIndex addPseudoFunction(Profile &profile, llvm::StringRef name) {
  profile.functions.push_back({.name = name.str(), .kind = FunctionKind::pseudo});
  return FunctionIndex(profile.functions.size() - 1);
}

} // namespace warpo

#endif
