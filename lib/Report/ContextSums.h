//===- ContextSums.h - The weights of each function, over its contexts ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_REPORT_CONTEXTSUMS_H
#define WARPO_LIB_REPORT_CONTEXTSUMS_H

#include "warpo/Output/ProfileBackend.h"
#include "warpo/Profile/Profile.h"
#include "warpo/Report/Table.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace warpo {

/// Sums of a function, or of another group of contexts.
struct Sums {
  uint64_t calls = 0;
  uint64_t self = 0;
  uint64_t inclusive = 0;
  /// Sums of Profile::per, if set.
  uint64_t otherSelf = 0;
  uint64_t otherInclusive = 0;

  void addOther(uint64_t moreSelf, uint64_t moreInclusive) {
    otherSelf = llvm::SaturatingAdd(otherSelf, moreSelf);
    otherInclusive = llvm::SaturatingAdd(otherInclusive, moreInclusive);
  }
  void add(uint64_t moreCalls, uint64_t moreSelf, uint64_t moreInclusive) {
    calls = llvm::SaturatingAdd(calls, moreCalls);
    self = llvm::SaturatingAdd(self, moreSelf);
    inclusive = llvm::SaturatingAdd(inclusive, moreInclusive);
  }
};

/// By context: whether no context above it is in the same group of functions; only these count for
/// a group's inclusive weight. `groups` has the group of each function, less than the number of
/// functions. O(contexts).
inline std::vector<bool> outermostOf(const Profile &profile, llvm::ArrayRef<uint32_t> groups) {
  std::vector<bool> outermost(profile.tree.size());
  std::vector<uint32_t> open(profile.functions.size());
  std::vector<uint32_t> stack;
  ContextTree::Children children = profile.tree.children();
  for (CallTreeWalk walk(children); walk.next();) {
    while (stack.size() >= walk.depth()) {
      --open[stack.back()];
      stack.pop_back();
    }
    uint32_t group = groups[profile.tree[walk.node()].function];
    outermost[walk.node()] = open[group]++ == 0;
    stack.push_back(group);
  }
  return outermost;
}

/// The same with each function as a group.
inline std::vector<bool> outermostOfFunction(const Profile &profile) {
  std::vector<uint32_t> functions(profile.functions.size());
  std::iota(functions.begin(), functions.end(), 0);
  return outermostOf(profile, functions);
}

inline double shareOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : double(part) / double(whole);
}

} // namespace warpo

#endif
