//===- SiblingOrder.h - The order of callees in outputs -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PROFILE_SIBLINGORDER_H
#define WARPO_OUTPUT_PROFILE_SIBLINGORDER_H

#include "warpo/Profile/Profile.h"

namespace warpo {

/// The callees of each context, the heaviest first, then by name. `inclusive` is the result of the
/// profile's inclusive().
inline ContextTree::Children heaviestFirst(const Profile &profile,
                                           llvm::ArrayRef<uint64_t> inclusive) {
  return profile.tree.children([&](NodeIndex a, NodeIndex b) {
    if (inclusive[a] != inclusive[b])
      return inclusive[a] > inclusive[b];
    llvm::StringRef nameA = profile.name(a), nameB = profile.name(b);
    return nameA != nameB ? nameA < nameB : a < b;
  });
}

} // namespace warpo

#endif
