//===- RecordedFiles.h - Joins what processes have left -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_RECORDTOOL_RECORDEDFILES_H
#define WARPO_LIB_TOOLING_RECORDTOOL_RECORDEDFILES_H

#include "llvm/Support/Error.h"

namespace warpo {

/// What was recorded of a program.
enum class RecordedKind { record, counts };

/// Makes one file of all that processes and threads have left in a folder; false if there is
/// nothing.
llvm::Expected<bool> joinRecorded(llvm::StringRef folder, RecordedKind kind,
                                  llvm::StringRef output);

} // namespace warpo

#endif
