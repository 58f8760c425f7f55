//===- OrderTool.h - From records to an order of functions ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_ORDERTOOL_H
#define WARPO_TOOLING_ORDERTOOL_H

#include "warpo/Order/OrderFile.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

struct OrderRequest {
  /// Records and saved profiles, as for ProfileReader, and LLVM's files. One run each.
  std::vector<std::string> inputs;
  /// If not empty, the inputs are dumps of LLVM's order file instrumentation with this mapping.
  std::string llvmMapping = {};
  /// The original of the instrumented module. May be text.
  std::string module;
  /// `input=N` makes an input count as N runs.
  std::vector<std::string> weights = {};
  /// Whether each stream of a record is a separate run; otherwise their first executions are merged
  /// by time.
  bool eachStream = false;
  /// A name in the registry of orders.
  std::string order;
  /// The weight of the profile that `hot` uses; empty: fuel if there is any, otherwise time.
  std::string cost = {};
  /// A name in the registry of order files, and the output file, which may be `-`.
  std::string format;
  std::string output;
  OrderFileOptions fileOptions = {};
};

/// Computes an order and writes it. Reports on stderr functions that were not found, were not
/// executed, or could not be written.
llvm::Expected<ToolResult> writeOrder(const OrderRequest &request, const ReadingOptions &options);

/// Distributes the runs over this many groups; for each group, computes an order from all others
/// and evaluates it with this one. Writes a table of all runs; the request's format is a table
/// format.
llvm::Expected<ToolResult> writeEvaluation(const OrderRequest &request, unsigned groups,
                                           const ReadingOptions &options);

/// Writes the names of the functions that each stream of each input executed, in the order of first
/// executions. Does not read a module. Inputs may be LLVM's files, too.
llvm::Expected<ToolResult> dumpExecutions(const OrderRequest &request,
                                          const ReadingOptions &options);

} // namespace warpo

#endif
