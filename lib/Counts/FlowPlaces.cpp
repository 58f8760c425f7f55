//===- FlowPlaces.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FlowPlaces.h"

using namespace llvm;
using namespace warpo;

void FlowPlaces::find(const FlowGraph &graph, bool keepsArms) {
  isKept_.assign(graph.edges.size(), false);
  if (keepsArms)
    for (const FlowBranch &branch : graph.branches)
      if (branch.takesNoValues)
        for (uint32_t arm : branch.arms)
          isKept_[arm] = true;
  sets_.resize(2 * graph.runs.size());
  std::iota(sets_.begin(), sets_.end(), 0);
  isForest_ = true;
  ArrayRef<LeftAt> left = graph.left;
  for (uint32_t i = 0; i != graph.edges.size(); ++i) {
    if (!left.empty() && left.front().edge == i)
      left = left.drop_front();
    else if (!isKept_[i])
      isForest_ &= joinEndsOf(graph.edges[i]);
  }
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    if (isFree(graph, run))
      isForest_ &= joinEndsOf(run);
  // Flattens the sets, so that look-ups take one step. Numbers never rise along a chain: one pass
  // in order is enough.
  for (uint32_t &set : sets_)
    set = sets_[set];
}
