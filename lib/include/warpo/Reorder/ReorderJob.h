//===- ReorderJob.h - The work of warpo-reorder, with files ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_REORDER_REORDERJOB_H
#define WARPO_REORDER_REORDERJOB_H

#include "warpo/Counts/ReachedFunctions.h"
#include "warpo/Reorder/ModuleReorderer.h"
#include <functional>

namespace warpo {

struct ReorderJob {
  bool keepDebug = false;
  /// Whether to add hints to compile functions in the order.
  bool hints = false;
  /// Whether to add hints with the frequencies of calls.
  bool frequencies = false;
  /// See ReorderOptions.
  bool measure = true;
  /// Files, or `-`, for at most one of the inputs. An empty name: none. The module may be text or
  /// binary.
  std::string input;
  std::string output;
  std::string order;
  /// Counts of a run of the module, for hints for branches and calls.
  std::string counts;
  /// Returns the calls of a recorded run, for hints for calls; empty if there is no record.
  std::function<llvm::Expected<TracedCalls>(const wasm::Module &)> readTrace;
  /// A list of the functions whose positions are measured.
  std::string startup;
  /// The input's source map, if not the one named by the module, and the output's.
  std::string sourceMap;
  std::string outputSourceMap;
};

struct ReorderResult {
  ReorderedModule module;
  /// Whether an order was given.
  bool isOrdered = false;
  /// The number of executed branches that got a hint, and of all executed branches.
  uint64_t hintedBranches = 0;
  uint64_t executedBranches = 0;
  /// The numbers of hints for calls.
  uint64_t frequencies = 0;
  uint64_t callTargets = 0;
  /// Ignored lines of lists, with the reason: one sentence for each such list.
  std::vector<std::string> problems;
  /// Why the name section was dropped; empty if it was not.
  std::string damagedNames;
};

/// Reorders a module and writes the files: all of them, or none if anything fails, except that
/// standard output and devices are written directly.
llvm::Expected<ReorderResult> runReorderJob(const ReorderJob &job);

/// What was done, and its effects, one per line.
std::vector<std::string> summarize(const ReorderResult &result);

} // namespace warpo

#endif
