//===- FlowEquations.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FlowEquations.h"
#include "FlowPlaces.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <tuple>

using namespace llvm;
using namespace warpo;

void FlowEquations::addTerm(uint32_t equation, uint32_t variable, bool isNegative) {
  Terms &terms = terms_[variable];
  assert(terms.count < 2 && "a variable is in two equations at most");
  terms.list[terms.count++] = {equation, isNegative};
  ++equations_[equation].unknown;
  equations_[equation].unknownSum += variable;
}

// The value of the last unknown variable of an equation.
uint64_t FlowEquations::solve(uint32_t equation) const {
  const Terms &terms = terms_[equations_[equation].unknownSum];
  const Term &term = terms.list[terms.list[0].equation == equation ? 0 : 1];
  uint64_t sum = equations_[equation].sum;
  return term.isNegative ? sum : -sum;
}

void FlowEquations::know(uint32_t variable, uint64_t value) {
  SmallVector<std::pair<uint32_t, uint64_t>, 8> learnt{{variable, value}};
  while (!learnt.empty()) {
    std::tie(variable, value) = learnt.pop_back_val();
    if (known_[variable])
      continue;
    known_[variable] = true;
    values_[variable] = value;
    for (auto [number, isNegative] : terms_[variable].terms()) {
      Equation &equation = equations_[number];
      equation.sum += isNegative ? -value : value;
      equation.unknownSum -= variable;
      if (--equation.unknown == 1)
        learnt.push_back({equation.unknownSum, solve(number)});
    }
  }
}

FlowEquations warpo::equationsOfPlaces(const FlowGraph &graph, ArrayRef<uint64_t> left) {
  FlowPlaces places(graph);
  FlowEquations equations(places.limit(), graph.runs.size() + graph.edges.size());
  auto add = [&](uint32_t variable, uint32_t begin, uint32_t end) {
    if (begin == end)
      return;
    equations.addTerm(begin, variable, false);
    equations.addTerm(end, variable, true);
  };
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    add(run, places.beginOf(run), places.endOf(run));
  for (auto [edge, isKept] : enumerate(places.keptEdges()))
    if (isKept)
      add(edgeVariable(graph, uint32_t(edge)), places.sourceOf(graph.edges[edge]),
          places.targetOf(graph.edges[edge]));
  for (auto [way, calls] : zip_equal(graph.left, left)) {
    equations.addNumber(places.endOf(graph.edges[way.edge].from), calls);
    equations.addNumber(places.outside(), -calls);
  }
  return equations;
}

FlowEquations warpo::equationsOfEdges(const FlowGraph &graph) {
  // Two for each run: what leads to it, and what leads away.
  FlowEquations equations(2 * graph.runs.size(), graph.runs.size() + graph.edges.size());
  for (uint32_t run = 0; run != graph.runs.size(); ++run) {
    if (run)
      equations.addTerm(2 * run, run, true);
    equations.addTerm(2 * run + 1, run, true);
  }
  for (uint32_t i = 0; i != graph.edges.size(); ++i) {
    auto [from, to] = graph.edges[i];
    if (to != FlowEdge::outside)
      equations.addTerm(2 * to, edgeVariable(graph, i), false);
    if (from != FlowEdge::outside)
      equations.addTerm(2 * from + 1, edgeVariable(graph, i), false);
  }
  return equations;
}
