//===- OrderTool.h - From records to an order of functions ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_ORDERTOOL_H
#define WARPO_TOOLING_ORDERTOOL_H

#include "warpo/Order/OrderFile.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

struct OrderRequest {
  /// Records and saved profiles, as ProfileReader takes them, and LLVM's files. One run each.
  std::vector<std::string> inputs;
  /// If not empty, the inputs are dumps of LLVM's order file instrumentation, of this mapping.
  std::string llvmMapping = {};
  /// The module that was instrumented, as it was before. May be text.
  std::string module;
  /// `input=N`: that input counts as N runs.
  std::vector<std::string> weights = {};
  /// Whether each stream of a record is a run of its own; else their first executions are merged by
  /// time.
  bool eachStream = false;
  /// A name of the registry of orders.
  std::string order;
  /// What `hot` looks at: a weight of the profile; empty: fuel if there is any, else time.
  std::string cost = {};
  /// A name of the registry of order files, and where the file goes; may be `-`.
  std::string format;
  std::string output;
  OrderFileOptions fileOptions = {};
};

/// Computes an order and writes it. Says on stderr what was not found, did not run, or could not be
/// written.
llvm::Expected<ToolResult> writeOrder(const OrderRequest &request, const ReadingOptions &options);

/// Deals the runs out over so many groups, orders with all but one, measures that one, and writes a
/// table of all runs; the request's format is one of tables.
llvm::Expected<ToolResult> writeEvaluation(const OrderRequest &request, unsigned groups,
                                           const ReadingOptions &options);

/// Writes the names of what each stream of each input executed, in the order of the first
/// executions, without looking at a module. Inputs may be LLVM's too.
llvm::Expected<ToolResult> dumpExecutions(const OrderRequest &request,
                                          const ReadingOptions &options);

} // namespace warpo

#endif
