//===- ProbeBudget.h - Which functions to leave out, to be fast enough ----===//
// SPDX-License-Identifier: Apache-2.0
//
// A trace of small functions takes many times as long as the program. Those whose trace points cost
// most and tell least are left out until the rest is predicted to keep within a budget. What the
// prediction is made of is for others to know: an earlier run, or the code.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_INSTRUMENT_PROBEBUDGET_H
#define WARPO_INSTRUMENT_PROBEBUDGET_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cmath>
#include <cstdint>
#include <vector>

namespace warpo {

/// How a function is used in a run of the program as it is.
struct FunctionUse {
  double calls = 0;
  /// Nanoseconds in itself, without what it calls.
  double self = 0;
  /// Who calls whom is seen by its trace points too.
  bool callsOthers = false;
  /// Whether it is known. An unknown function has to be left out: it may be called any number of
  /// times.
  bool isKnown = false;
};

struct ProbeBudget {
  /// How many times as long as the program as it is the traced one may take; more than 1.
  double times;
  /// Nanoseconds that the trace points of a call take, and that the program takes as it is, with
  /// functions that are not asked for.
  double callCost;
  double plainTime;

  /// How many times as long the program takes with the trace points of so many calls.
  double slowDown(double calls) const {
    return plainTime > 0 ? 1 + calls * callCost / plainTime : calls > 0 ? HUGE_VAL : 1;
  }
};

/// A function of a larger share of the time is one that a profile is read for.
inline constexpr double hotShare = 0.01;

struct BudgetChoice {
  /// By rising indices.
  std::vector<uint32_t> leftOut;
  /// Those of them with more than hotShare of the time, the hottest first.
  std::vector<uint32_t> hotLeftOut;
  /// The calls of all functions that were asked about, of those that are kept, and of the hot ones.
  double calls = 0;
  double keptCalls = 0;
  double hotCalls = 0;
};

/// Chooses among `candidates`, indices of `uses`. Those that are hot, and those that cost next to
/// nothing, are kept first, and of these those that tell most for what they cost.
BudgetChoice chooseWithinBudget(llvm::ArrayRef<FunctionUse> uses,
                                llvm::ArrayRef<uint32_t> candidates, const ProbeBudget &budget);

/// A guess at how the functions of a module are used: they are called as often as there are calls
/// of them in the code, and loops are passed a few times. Fails for code that cannot be read.
llvm::Expected<std::vector<FunctionUse>> guessUses(const wasm::Module &module);

} // namespace warpo

#endif
