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
  /// Records and saved profiles, as for ProfileReader; several are merged.
  std::vector<std::string> inputs;
  /// The output file; may be `-`.
  std::string output;
  /// A name in the registry of table formats.
  std::string format;
  ReportKind kind = ReportKind::functions;
  /// The functions whose callers or callees to report.
  std::vector<std::string> functions = {};
  uint64_t slices = 0;
  /// The column to sort by; empty: the report's default.
  std::string sort = {};
  /// Only these columns, in this order; empty: all.
  std::vector<std::string> columns = {};
  /// The number of rows, or for heaps of paths of each kind; 0: all.
  uint64_t top = 0;
  /// For heaps: fail if more bytes than this are not freed.
  std::optional<uint64_t> allowedLeaks = {};
};

/// The bytes that --fail-on-leaks=`text` allows; empty: 0.
llvm::Expected<uint64_t> readAllowedLeaks(llvm::StringRef text);

llvm::Expected<ToolResult> writeReport(const ReportRequest &request, const ReadingOptions &options,
                                       const ProfileOptions &profileOptions);

/// Writes the table made by `make` with the options of `request`, like all reports.
llvm::Error writeTable(const ReportRequest &request,
                       llvm::function_ref<llvm::Expected<Table>()> make);

/// Compares two sides of runs; `inputs` are the new side.
llvm::Expected<ToolResult> writeDiffReport(const ReportRequest &request,
                                           const ReadingOptions &options,
                                           const ProfileOptions &profileOptions,
                                           const DiffOptions &diffOptions);

} // namespace warpo

#endif
