//===- FlowEquations.h - Derives counts from others -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_COUNTS_FLOWEQUATIONS_H
#define WARPO_LIB_COUNTS_FLOWEQUATIONS_H

#include "warpo/Counts/CounterPlan.h"

namespace warpo {

/// Equations of flow into and out of places. Each variable is in at most two of them.
class FlowEquations {
public:
  FlowEquations(size_t equations, size_t variables)
      : equations_(equations), terms_(variables), known_(variables), values_(variables) {}

  /// Adds a term to an equation, in which each variable occurs at most once. The sums of positive
  /// and of negative terms are equal.
  void addTerm(uint32_t equation, uint32_t variable, bool isNegative);

  /// Adds a constant to an equation whose variables are all unknown so far.
  void addNumber(uint32_t equation, uint64_t number) { equations_[equation].sum += number; }

  bool isKnown(uint32_t variable) const { return known_[variable]; }
  /// The value of a known variable. Sums wrap.
  uint64_t value(uint32_t variable) const { return values_[variable]; }
  /// Sets a variable, and all that follow from it. Does nothing if it is known already.
  void know(uint32_t variable, uint64_t value);

private:
  struct Equation {
    uint32_t unknown = 0;
    /// The sum of the indices of its unknown variables: if only one is left, its index.
    uint32_t unknownSum = 0;
    /// The sum of the known terms.
    uint64_t sum = 0;
  };
  struct Term {
    uint32_t equation;
    bool isNegative;
  };
  /// The terms of a variable.
  struct Terms {
    Term list[2];
    uint8_t count = 0;
    llvm::ArrayRef<Term> terms() const { return {list, count}; }
  };

  uint64_t solve(uint32_t equation) const;

  std::vector<Equation> equations_;
  std::vector<Terms> terms_;
  std::vector<uint8_t> known_;
  std::vector<uint64_t> values_;
};

/// The variables are the runs followed by the edges, of which only the arms that FlowPlaces keeps
/// matter. Free runs, and what ends at the place where it begins, are in no equation. `left` has
/// the number of calls left at each place of graph.left.
FlowEquations equationsOfPlaces(const FlowGraph &graph, llvm::ArrayRef<uint64_t> left = {});

/// The variables are the runs followed by the edges. No equation balances the function's entries
/// with its exits, so a trap or an exception only affects the counts around it.
FlowEquations equationsOfEdges(const FlowGraph &graph);
inline uint32_t edgeVariable(const FlowGraph &graph, uint32_t edge) {
  return uint32_t(graph.runs.size()) + edge;
}

} // namespace warpo

#endif
