//===- ContextSums.h - The weights of each function, over its contexts ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_REPORT_CONTEXTSUMS_H
#define WARPO_LIB_REPORT_CONTEXTSUMS_H

#include "warpo/Output/ProfileBackend.h"
#include "warpo/Profile/Profile.h"
#include "warpo/Report/Table.h"
#include "llvm/Support/MathExtras.h"

namespace warpo {

/// Sums of a function, or of another group of contexts.
struct Sums {
  uint64_t calls = 0;
  uint64_t self = 0;
  uint64_t inclusive = 0;
  /// Of the weight that the shown one stands in relation to, if any.
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

/// For each context whether it lies below no other of the same function: only these count for a
/// function's inclusive weight. O(contexts).
inline std::vector<bool> outermostOfFunction(const Profile &profile) {
  std::vector<bool> outermost(profile.tree.size());
  std::vector<uint32_t> open(profile.functions.size());
  std::vector<FunctionIndex> stack;
  ContextTree::Children children = profile.tree.children();
  for (CallTreeWalk walk(children); walk.next();) {
    while (stack.size() >= walk.depth()) {
      --open[stack.back()];
      stack.pop_back();
    }
    FunctionIndex function = profile.tree[walk.node()].function;
    outermost[walk.node()] = open[function]++ == 0;
    stack.push_back(function);
  }
  return outermost;
}

inline double shareOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : double(part) / double(whole);
}

} // namespace warpo

#endif
