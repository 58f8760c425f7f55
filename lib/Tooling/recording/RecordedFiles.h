//===- RecordedFiles.h - Joins the results of processes -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_RECORDTOOL_RECORDEDFILES_H
#define WARPO_LIB_TOOLING_RECORDTOOL_RECORDEDFILES_H

#include "llvm/Support/Error.h"

namespace warpo {

/// The kind of results.
enum class RecordedKind { record, counts };

/// Joins all files of processes and threads in a folder; false if there are none.
llvm::Expected<bool> joinRecorded(llvm::StringRef folder, RecordedKind kind,
                                  llvm::StringRef output);

} // namespace warpo

#endif
