//===- OldRecord.h - The record of an earlier run -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_OLDRECORD_H
#define WARPO_LIB_TOOLING_OLDRECORD_H

#include "llvm/ADT/StringRef.h"

namespace warpo {

/// Whether the file begins as some format's records do. False if it cannot be read.
bool isRecordFile(llvm::StringRef path);

/// Removes the record or the counts that an earlier run has left in this file, so that they are not
/// taken for those of a run which has recorded nothing; an empty file too. Leaves everything but a
/// regular file: a device, a pipe, a link such as /dev/stdout. Does nothing if there is no such
/// file, or it cannot be removed. False if the file holds something else, and stays.
bool removeOldRecord(llvm::StringRef path);

} // namespace warpo

#endif
