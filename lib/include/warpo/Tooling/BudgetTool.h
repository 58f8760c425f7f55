//===- BudgetTool.h - Selects functions to leave out, by an earlier run ---===//
// SPDX-License-Identifier: Apache-2.0
//
// The only place where the rewriting half uses a record: it yields a list of functions to leave
// out.
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
  /// The permitted run time of the traced program as a multiple of the original's.
  double times = 2;
  /// A record, or a saved profile with calls; empty: estimate from the code.
  std::string from = {};
  /// Samples of the original program; empty: use the times of `from`, minus the estimated cost of
  /// recording.
  std::string timeFrom = {};
  /// The clock that the program will be recorded with; nothing: the clock of `from`.
  std::optional<ProbeClock> clock = {};
};

/// Describes the selection.
struct BudgetReport {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  /// The worst result of all inputs.
  ToolResult result = ToolResult::done;
};

/// Selects, of the functions of a module chosen for instrumentation, those to leave out; by
/// ascending index.
llvm::Expected<std::vector<uint32_t>> leaveOutByBudget(const BudgetRequest &request,
                                                       const wasm::Module &module,
                                                       llvm::ArrayRef<FunctionReport> functions,
                                                       BudgetReport &report);

} // namespace warpo

#endif
