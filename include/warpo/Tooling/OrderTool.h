//===- OrderTool.h - From records to an order of functions ----------------===//

#ifndef WARPO_TOOLING_ORDERTOOL_H
#define WARPO_TOOLING_ORDERTOOL_H

#include "warpo/Order/OrderFile.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

struct OrderRequest {
  /// Records and saved profiles, as ProfileReader takes them, and LLVM's files. One run each.
  std::vector<std::string> inputs;
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

} // namespace warpo

#endif
