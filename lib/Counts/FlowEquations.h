//===- FlowEquations.h - What follows where all but one number is known ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_COUNTS_FLOWEQUATIONS_H
#define WARPO_LIB_COUNTS_FLOWEQUATIONS_H

#include "warpo/Counts/CounterPlan.h"

namespace warpo {

/// Equations of sums: what flows into a place, and what flows out of it. Each variable is in two of
/// them at most.
class FlowEquations {
public:
  FlowEquations() = default;
  FlowEquations(size_t equations, size_t variables) { reset(equations, variables); }

  /// Forgets all, but keeps the room for it.
  void reset(size_t equations, size_t variables) {
    equations_.assign(equations, {});
    terms_.assign(variables, {});
    known_.assign(variables, false);
    values_.assign(variables, 0);
  }

  /// Adds a term to an equation, in which each variable occurs once. The positive terms add up to
  /// the same as the negative ones.
  void addTerm(uint32_t equation, uint32_t variable, bool isNegative);

  /// Adds to the sum of an equation whose variables are all still unknown.
  void addNumber(uint32_t equation, uint64_t number) { equations_[equation].sum += number; }

  bool isKnown(uint32_t variable) const { return known_[variable]; }
  /// The value of a known variable. Sums wrap.
  uint64_t value(uint32_t variable) const { return values_[variable]; }
  /// Makes a variable known, and with it all that follows. Does nothing if it is known already.
  void know(uint32_t variable, uint64_t value);

private:
  struct Equation {
    uint32_t unknown = 0;
    /// The sum of the numbers of its unknown variables: where there is one, its number.
    uint32_t unknownSum = 0;
    /// The sum of the known terms.
    uint64_t sum = 0;
  };
  struct Term {
    uint32_t equation;
    bool isNegative;
  };
  /// Of a variable.
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

/// The variables are the runs. Free runs, and runs that end at the place where they begin, are in
/// no equation. `left`: how many calls were left at each place of graph.left.
FlowEquations equationsOfPlaces(const FlowGraph &graph, llvm::ArrayRef<uint64_t> left = {});

/// Sets equations whose variables are the runs and, behind them, the edges. No equation balances
/// entries of the function with its exits, so a trap or an exception affects only the counts around
/// it.
void setEquationsOfEdges(const FlowGraph &graph, FlowEquations &equations);
inline uint32_t edgeVariable(const FlowGraph &graph, uint32_t edge) {
  return uint32_t(graph.runs.size()) + edge;
}

} // namespace warpo

#endif
