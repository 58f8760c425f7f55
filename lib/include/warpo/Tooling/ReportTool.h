//===- ReportTool.h - From records and profiles to tables -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_REPORTTOOL_H
#define WARPO_TOOLING_REPORTTOOL_H

#include "warpo/Report/Table.h"
#include "warpo/Tooling/DiffTool.h"

namespace warpo {

enum class ReportKind : uint8_t {
  functions,
  tree,
  callers,
  callees,
  topLevel,
  slowestSlices,
  phases,
  heap
};

struct ReportRequest {
  /// Records and saved profiles, as ProfileReader takes them; several are merged.
  std::vector<std::string> inputs;
  /// Where the report goes; may be `-`.
  std::string output;
  /// A name of the registry of table formats.
  std::string format;
  ReportKind kind = ReportKind::functions;
  /// Whose callers or callees.
  std::vector<std::string> functions = {};
  uint64_t slices = 0;
  /// A column; empty: as the report is sorted by itself.
  std::string sort = {};
  /// Only these columns, in this order; empty: all.
  std::vector<std::string> columns = {};
  /// How many rows, of the heap how many paths of a kind; 0: all.
  uint64_t top = 0;
  /// Of the heap: more bytes than these that are not freed are a failure.
  std::optional<uint64_t> allowedLeaks = {};
};

llvm::Expected<ToolResult> writeReport(const ReportRequest &request, const ReadingOptions &options,
                                       const ProfileOptions &profileOptions);

/// Writes a table that `make` makes, arranged as all reports are.
llvm::Error writeTable(const ReportRequest &request,
                       llvm::function_ref<llvm::Expected<Table>()> make);

/// Compares two sides of runs; `inputs` are the new one.
llvm::Expected<ToolResult> writeDiffReport(const ReportRequest &request,
                                           const ReadingOptions &options,
                                           const ProfileOptions &profileOptions,
                                           const DiffOptions &diffOptions);

} // namespace warpo

#endif
