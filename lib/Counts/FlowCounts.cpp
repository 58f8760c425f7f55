//===- FlowCounts.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/FlowCounts.h"
#include "FlowEquations.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

// Negative results are wrong: calls that did not return are few, and counts stay below 2^63.
static uint64_t atLeastZero(uint64_t count, uint32_t &negative) {
  if (int64_t(count) >= 0)
    return count;
  ++negative;
  return 0;
}

// The number of a counter's run in this graph, which has more runs: each place where calls were
// left ends one.
static uint32_t runOf(const PlannedCounter &counter, const FlowGraph &graph) {
  if (graph.left.empty())
    return counter.subject;
  auto found =
      partition_point(graph.runs, [&](const FlowRun &run) { return run.begin < counter.offset; });
  return uint32_t(found - graph.runs.begin());
}

FlowCounts warpo::solveCounts(const FlowGraph &graph, ArrayRef<PlannedCounter> counters,
                              ArrayRef<uint64_t> values, ArrayRef<uint64_t> left) {
  FlowEquations places = equationsOfPlaces(graph, left);
  auto variableOf = [&](const PlannedCounter &counter) {
    return counter.countsRun()
               ? runOf(counter, graph)
               : edgeVariable(graph, graph.branches[counter.subject].arms[counter.arm]);
  };
  for (auto [counter, value] : zip_equal(counters, values))
    places.know(variableOf(counter), value);

  FlowEquations edges = equationsOfEdges(graph);
  for (auto [counter, value] : zip_equal(counters, values))
    edges.know(variableOf(counter), value);
  for (auto [way, calls] : zip_equal(graph.left, left))
    edges.know(edgeVariable(graph, way.edge), calls);
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    if (places.isKnown(run))
      edges.know(run, places.value(run));
  for (uint32_t edge = 0; edge != graph.edges.size(); ++edge)
    if (uint32_t variable = edgeVariable(graph, edge); places.isKnown(variable))
      edges.know(variable, places.value(variable));

  FlowCounts counts;
  auto take = [&](uint32_t variable, uint32_t &negative) {
    return edges.isKnown(variable) ? atLeastZero(edges.value(variable), negative)
                                   : FlowCounts::unknown;
  };
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    counts.runs.push_back(take(run, counts.negative));
  for (uint32_t edge = 0; edge != graph.edges.size(); ++edge)
    counts.edges.push_back(take(edgeVariable(graph, edge), graph.edges[edge].to == FlowEdge::outside
                                                               ? counts.negativeExits
                                                               : counts.negative));
  return counts;
}
