//===- FlowPlaces.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FlowPlaces.h"

using namespace llvm;
using namespace warpo;

void FlowPlaces::find(const FlowGraph &graph) {
  // The function is entered from outside.
  constexpr uint32_t outside = 0;
  auto beginOf = [](uint32_t run) { return run == FlowEdge::outside ? outside : 2 * run; };
  auto endOf = [](uint32_t run) { return run == FlowEdge::outside ? outside : 2 * run + 1; };
  sets_.resize(2 * graph.runs.size());
  std::iota(sets_.begin(), sets_.end(), 0);
  isForest_ = true;
  ArrayRef<LeftAt> left = graph.left;
  for (uint32_t i = 0; i != graph.edges.size(); ++i) {
    if (!left.empty() && left.front().edge == i)
      left = left.drop_front();
    else
      isForest_ &= join(endOf(graph.edges[i].from), beginOf(graph.edges[i].to));
  }
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    if (isFree(graph, run))
      isForest_ &= joinEndsOf(run);
}
