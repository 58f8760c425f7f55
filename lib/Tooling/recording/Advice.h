//===- Advice.h - The final messages of warpo-record ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_RECORDTOOL_ADVICE_H
#define WARPO_LIB_TOOLING_RECORDTOOL_ADVICE_H

#include "warpo/Tooling/RecordTool.h"

namespace warpo {

/// Prints on stderr a summary of the record, and commands that show more of it. `isModule`: whether
/// the program is a module. Returns the exit code of the tool that made the summary.
llvm::Expected<int> showRecorded(const RecordToolOptions &options, llvm::StringRef record,
                                 bool isModule);

} // namespace warpo

#endif
