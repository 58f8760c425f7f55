//===- MixTool.h - From counts to tables of instructions ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_MIXTOOL_H
#define WARPO_TOOLING_MIXTOOL_H

#include "warpo/Tooling/ReportTool.h"

namespace warpo {

struct MixRequest {
  /// The original module.
  std::string module;
  /// `opcode`, `class`, or `type` for what was allocated.
  std::string group;
  /// Whether each function has rows of its own.
  bool byFunction = false;
  /// Names as they are in the module.
  bool noDemangle = false;
};

/// A table of what was executed; the inputs of `report` are counts.
llvm::Expected<ToolResult> writeMix(const MixRequest &request, const ReportRequest &report);

} // namespace warpo

#endif
