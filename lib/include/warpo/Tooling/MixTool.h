//===- MixTool.h - From counts to tables of instructions ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_MIXTOOL_H
#define WARPO_TOOLING_MIXTOOL_H

#include "warpo/Tooling/ReportTool.h"

namespace warpo {

struct MixRequest {
  /// The original module.
  std::string module;
  /// What the same runs had counted at an earlier moment, which is taken away; empty: nothing.
  std::string since;
  /// `opcode`, `class`, or `type` for what was allocated.
  std::string group;
  /// Whether each function has rows of its own.
  bool byFunction = false;
  /// What makes of a function's name the one that is shown; null: nothing.
  CallOptions::Renaming renaming = nullptr;
};

/// A table of what was executed; the inputs of `report` are counts.
llvm::Expected<ToolResult> writeMix(const MixRequest &request, const ReportRequest &report);

} // namespace warpo

#endif
