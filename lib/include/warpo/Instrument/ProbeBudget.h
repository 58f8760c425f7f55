//===- ProbeBudget.h - Leaves out functions to limit overhead -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Tracing small functions can slow a program down many times. Functions whose trace points cost
// most and say least are left out until the predicted overhead fits a budget. The caller provides
// the data for the prediction, from an earlier run or from the code.
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

/// How an uninstrumented run uses a function.
struct FunctionUse {
  double calls = 0;
  /// Self time in nanoseconds.
  double self = 0;
  /// Whether it calls functions: then its trace points also show which callers these have.
  bool callsOthers = false;
  /// Whether this data is known. Otherwise the function has to be left out, as it may be called any
  /// number of times.
  bool isKnown = false;
};

struct ProbeBudget {
  /// The allowed run time of the traced program, relative to the uninstrumented one; more than 1.
  double times;
  /// Nanoseconds: of the trace points of a call, and of the uninstrumented run, including functions
  /// that are no candidates.
  double callCost;
  double plainTime;

  /// The predicted run time with the trace points of that many calls, relative to the
  /// uninstrumented one.
  double slowDown(double calls) const {
    return plainTime > 0 ? 1 + calls * callCost / plainTime : calls > 0 ? HUGE_VAL : 1;
  }
};

/// Functions with a larger share of the time are hot: those that users look for in a profile.
inline constexpr double hotShare = 0.01;

struct BudgetChoice {
  /// In ascending order.
  std::vector<uint32_t> leftOut;
  /// The hot ones among them, the hottest first.
  std::vector<uint32_t> hotLeftOut;
  /// The calls of all candidates, of those that are kept, and of the hot ones.
  double calls = 0;
  double keptCalls = 0;
  double hotCalls = 0;
};

/// Chooses among `candidates`, indices into `uses`. Hot functions, and those that cost next to
/// nothing, are kept first; within both groups, those with the most information for their cost.
BudgetChoice chooseWithinBudget(llvm::ArrayRef<FunctionUse> uses,
                                llvm::ArrayRef<uint32_t> candidates, const ProbeBudget &budget);

/// Guesses the use of a module's functions from its code, assuming one execution of each call and a
/// few iterations of each loop. Fails if the code cannot be read.
llvm::Expected<std::vector<FunctionUse>> guessUses(const wasm::Module &module);

} // namespace warpo

#endif
