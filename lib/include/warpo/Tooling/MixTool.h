//===- MixTool.h - Tables of executed instructions ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_MIXTOOL_H
#define WARPO_TOOLING_MIXTOOL_H

#include "warpo/Tooling/ReportTool.h"

namespace warpo {

struct MixRequest {
  /// The original module.
  std::string module;
  /// Counts of the same runs at an earlier moment, which are subtracted; empty: none.
  std::string since;
  /// `opcode` or `class`, or `type` for allocations.
  std::string group;
  /// Whether each function has separate rows.
  bool byFunction = false;
  /// Converts a function's name for display; may be null.
  CallOptions::Renaming renaming = nullptr;
};

/// Writes a table of executed instructions; the inputs of `report` are counts.
llvm::Expected<ToolResult> writeMix(const MixRequest &request, const ReportRequest &report);

} // namespace warpo

#endif
