//===- OldRecord.h - Records of earlier runs ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_OLDRECORD_H
#define WARPO_LIB_TOOLING_OLDRECORD_H

#include "llvm/ADT/StringRef.h"

namespace warpo {

/// Whether the file begins like a record in any format. False if it cannot be read.
bool isRecordFile(llvm::StringRef path);

/// Removes an earlier run's record or counts, or an empty file, so that it is not mistaken for the
/// result of a run which has recorded nothing. Keeps everything but regular files: devices, pipes,
/// links such as /dev/stdout. Does nothing if there is no such file, or it cannot be removed. False
/// if the file has other contents; it is kept then.
bool removeOldRecord(llvm::StringRef path);

} // namespace warpo

#endif
