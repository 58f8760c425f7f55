//===- OpenTool.h - The work of warpo-open --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_OPENTOOL_H
#define WARPO_TOOLING_OPENTOOL_H

#include "warpo/Tooling/ToolMain.h"

namespace warpo {

/// Merges `records`, writes a report to `output` (empty: a new file in the system's temporary
/// folder, which is kept for the browser) and opens it in the browser. If that fails, prints the
/// report's path on stderr.
llvm::Expected<ToolResult> openReport(llvm::ArrayRef<std::string> records, llvm::StringRef output);

} // namespace warpo

#endif
