//===- BudgetTool.h - Which functions to leave out, by an earlier run -----===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place where the rewriting half hears of a record: what is left out of it is a list of
// functions.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLING_BUDGETTOOL_H
#define WARPO_TOOLING_BUDGETTOOL_H

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "warpo/Tooling/ToolMain.h"

namespace warpo {

/// Clocks of the recorders.
enum class ProbeClock : uint8_t { exact, thread, none, fuel, counter, monotonic };

struct BudgetRequest {
  /// How many times as long as the program as it is the traced one may take.
  double times = 2;
  /// A record, or a saved profile with calls; empty: a guess from the code.
  std::string from = {};
  /// Samples of the program as it is; empty: times are those of `from`, as well as they can be
  /// separated from what recording took.
  std::string timeFrom = {};
  /// What the program is to be recorded with; nothing: with the clock of `from`.
  std::optional<ProbeClock> clock = {};
};

/// What was chosen, in words.
struct BudgetReport {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  /// Of all that was read, the worst.
  ToolResult result = ToolResult::done;
};

/// Chooses among the functions of a module that are taken those to leave out, by rising indices.
llvm::Expected<std::vector<uint32_t>> leaveOutByBudget(const BudgetRequest &request,
                                                       const wasm::Module &module,
                                                       llvm::ArrayRef<FunctionReport> functions,
                                                       BudgetReport &report);

} // namespace warpo

#endif
