//===- FlowCounts.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/FlowCounts.h"
#include "FlowEquations.h"

using namespace llvm;
using namespace warpo;

// What came out below 0 is none: calls that were left in the middle are few, and counts stay below
// 2^63.
static uint64_t atLeastZero(uint64_t count, FlowCounts &counts) {
  if (int64_t(count) >= 0)
    return count;
  ++counts.negative;
  return 0;
}

FlowCounts warpo::solveCounts(const FlowGraph &graph, ArrayRef<PlannedCounter> counters,
                              ArrayRef<uint64_t> values) {
  FlowEquations places = equationsOfPlaces(graph);
  for (auto [counter, value] : zip_equal(counters, values))
    if (counter.countsRun())
      places.know(counter.subject, value);

  FlowEquations edges = equationsOfEdges(graph);
  for (auto [counter, value] : zip_equal(counters, values))
    edges.know(counter.countsRun()
                   ? counter.subject
                   : edgeVariable(graph, graph.branches[counter.subject].arms[counter.arm]),
               value);
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    if (places.isKnown(run))
      edges.know(run, places.value(run));

  FlowCounts counts;
  auto take = [&](uint32_t variable) {
    return edges.isKnown(variable) ? atLeastZero(edges.value(variable), counts)
                                   : FlowCounts::unknown;
  };
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    counts.runs.push_back(take(run));
  for (uint32_t edge = 0; edge != graph.edges.size(); ++edge)
    counts.edges.push_back(take(edgeVariable(graph, edge)));
  return counts;
}
