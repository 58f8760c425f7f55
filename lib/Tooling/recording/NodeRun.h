//===- NodeRun.h - Records the processes of Node that a command starts ----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_RECORDTOOL_NODERUN_H
#define WARPO_LIB_TOOLING_RECORDTOOL_NODERUN_H

#include "../common/TemporaryFolder.h"
#include "warpo/Tooling/RecordTool.h"

namespace warpo {

/// Runs a command and records its processes of Node; returns its exit code.
llvm::Expected<int> recordNode(const RecordToolOptions &options, std::vector<std::string> command,
                               llvm::StringRef record, const TemporaryFolder &folder);

} // namespace warpo

#endif
