//===- RunDominators.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RunDominators.h"
#include <utility>

using namespace llvm;
using namespace warpo;

// To be called once all ways to the run are known.
void RunDominators::finish(uint32_t run) {
  Link &link = links_[run];
  const Link &above = links_[link.above], &far = links_[above.farAbove];
  link.depth = above.depth + 1;
  bool joinsJumps = above.depth - far.depth == far.depth - links_[far.farAbove].depth;
  link.farAbove = joinsJumps ? far.farAbove : link.above;
}

uint32_t RunDominators::common(uint32_t left, uint32_t right) const {
  if (links_[left].depth < links_[right].depth)
    std::swap(left, right);
  while (links_[left].depth != links_[right].depth) {
    const Link &link = links_[left];
    left = links_[link.farAbove].depth < links_[right].depth ? link.above : link.farAbove;
  }
  // Runs of the same depth have links of the same lengths.
  while (left != right) {
    const Link &a = links_[left], &b = links_[right];
    bool isFar = a.farAbove != b.farAbove;
    left = isFar ? a.farAbove : a.above;
    right = isFar ? b.farAbove : b.above;
  }
  return left;
}

void RunDominators::find(const FlowGraph &graph) {
  links_.assign(graph.runs.size(), {});
  uint32_t finished = 0;
  // Edges are sorted by the run that they come from.
  for (const FlowEdge &edge : graph.edges) {
    uint32_t from = edge.from == FlowEdge::outside ? 0 : edge.from;
    while (finished < from)
      finish(++finished);
    // Exceptions may arrive at the head of a loop, too, which is then around the edge.
    if (edge.to == FlowEdge::outside || edge.to <= finished)
      continue;
    Link &link = links_[edge.to];
    link.above = link.ways++ ? common(link.above, from) : from;
  }
  while (finished + 1 < graph.runs.size())
    finish(++finished);
}
