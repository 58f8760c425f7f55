//===- Advice.h - What warpo-record says when a program has ended ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_RECORDTOOL_ADVICE_H
#define WARPO_LIB_TOOLING_RECORDTOOL_ADVICE_H

#include "warpo/Tooling/RecordTool.h"

namespace warpo {

/// Shows on stderr what was recorded and which commands show more of it. `isModule`: the program is
/// one.
llvm::Error showRecorded(const RecordToolOptions &options, llvm::StringRef record, bool isModule);

} // namespace warpo

#endif
