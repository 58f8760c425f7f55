//===- RunFrequencies.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RunFrequencies.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

// Powers of two: products with them are exact, whether or not a compiler joins operations.
static constexpr double rarely = 1.0 / 64;
static constexpr int roundsExponent = 2;
// Code can be in more loops than numbers have room for.
static constexpr uint32_t mostLoops = 64;

static bool goesBack(const FlowEdge &edge) { return edge.to <= edge.from; }

// For an edge that is not an exception.
double RunFrequencies::weight(const FlowEdge &edge) const {
  return edge.to == FlowEdge::outside || goesBack(edge) ? 1 : weightOfEntry_[edge.to];
}

static int loopsAround(const FlowGraph &graph, uint32_t run) {
  return int(std::min(graph.runs[run].loopDepth, mostLoops));
}

// Multiplies by the rounds of the loops that are entered: by a power of two.
static double inLoops(double frequency, int entered) {
  constexpr int bias = 1023, mantissa = 52;
  return frequency * bit_cast<double>(uint64_t(bias + roundsExponent * entered) << mantissa);
}

double RunFrequencies::of(const FlowGraph &graph, const FlowEdge &edge) const {
  double passing = share(edge.from) * weight(edge);
  if (edge.to == FlowEdge::outside)
    return passing;
  return inLoops(passing, std::min(0, loopsAround(graph, edge.to) - loopsAround(graph, edge.from)));
}

void RunFrequencies::estimate(const FlowGraph &graph) {
  size_t runs = graph.runs.size();
  frequencies_.assign(runs, 0);
  weights_.assign(runs, 0);
  weightOfEntry_.assign(runs, rarely);
  // Edges are sorted by the run that they come from, and only those that go back lead to earlier
  // runs.
  for (size_t i = graph.edges.size(); i-- != 0;) {
    const FlowEdge &edge = graph.edges[i];
    if (edge.from == FlowEdge::outside)
      continue;
    if (edge.to == FlowEdge::outside) {
      if (!graph.runs[edge.from].endsBadly)
        weightOfEntry_[edge.from] = 1;
      continue;
    }
    double each = weight(edge);
    weightOfEntry_[edge.from] = std::max(weightOfEntry_[edge.from], each);
    weights_[edge.from] += each;
  }
  // Other ways out are exceptions from calls.
  for (const FlowBranch &branch : graph.branches)
    for (uint32_t arm : branch.arms)
      if (graph.edges[arm].to == FlowEdge::outside)
        weights_[branch.run] += 1;
  frequencies_[0] = 1;
  uint32_t last = FlowEdge::outside;
  double shareOfLast = 0;
  for (const FlowEdge &edge : graph.edges) {
    if (edge.to == FlowEdge::outside)
      continue;
    if (edge.from == FlowEdge::outside) {
      frequencies_[edge.to] += rarely;
      continue;
    }
    if (goesBack(edge))
      continue;
    if (edge.from != last)
      shareOfLast = share(last = edge.from);
    frequencies_[edge.to] += inLoops(shareOfLast * weight(edge),
                                     loopsAround(graph, edge.to) - loopsAround(graph, edge.from));
  }
}
