//===- ReorderJob.h - warpo-reorder's work, with its files ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_REORDER_REORDERJOB_H
#define WARPO_REORDER_REORDERJOB_H

#include "warpo/Counts/ReachedFunctions.h"
#include "warpo/Reorder/ModuleReorderer.h"
#include <functional>

namespace warpo {

struct ReorderJob {
  bool keepDebug = false;
  /// Whether functions are to be compiled in the order.
  bool hints = false;
  /// Whether to write how often calls were executed.
  bool frequencies = false;
  /// See ReorderOptions.
  bool measure = true;
  /// Files, or `-`, which only one of the inputs may be. An empty name: not wanted. The module may
  /// be text or binary.
  std::string input;
  std::string output;
  std::string order;
  /// What a run of the module counted, for hints of branches and calls.
  std::string counts;
  /// Returns who called whom in a recorded run, for hints of calls; not set if that is unknown.
  std::function<llvm::Expected<TracedCalls>(const wasm::Module &)> readTrace;
  /// A list of the functions whose place is measured.
  std::string startup;
  /// The source map of the input, if not the one that the module names, and that of the output.
  std::string sourceMap;
  std::string outputSourceMap;
};

struct ReorderResult {
  ReorderedModule module;
  /// Whether an order was given.
  bool isOrdered = false;
  /// Of the branches that were executed, how many got a hint.
  uint64_t hintedBranches = 0;
  uint64_t executedBranches = 0;
  /// Of calls.
  uint64_t frequencies = 0;
  uint64_t callTargets = 0;
  /// Which lines were left out of a list, and why: one sentence for each such list.
  std::vector<std::string> problems;
  /// Why the name section was dropped; empty if it was not.
  std::string damagedNames;
};

/// Reorders a module and writes the files: all of them, or none if anything fails, except for
/// standard output and devices, which are written directly.
llvm::Expected<ReorderResult> runReorderJob(const ReorderJob &job);

/// What was done and achieved, one thing a line.
std::vector<std::string> summarize(const ReorderResult &result);

} // namespace warpo

#endif
