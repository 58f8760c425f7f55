//===- OpenTool.h - What warpo-open does ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_OPENTOOL_H
#define WARPO_TOOLING_OPENTOOL_H

#include "warpo/Tooling/ToolMain.h"

namespace warpo {

/// Writes the report of `records`, together one profile, to `output` (empty: a new file below
/// the system's temporary folder, which stays for the browser) and shows it in the browser. Where
/// there is none that opens it, says on stderr where the report is.
llvm::Expected<ToolResult> openReport(llvm::ArrayRef<std::string> records, llvm::StringRef output);

} // namespace warpo

#endif
