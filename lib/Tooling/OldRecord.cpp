//===- OldRecord.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OldRecord.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

void warpo::removeOldRecord(StringRef path) {
  sys::fs::file_status status;
  if (!path.empty() && path != "-" && !sys::fs::status(path, status, /*follow=*/false) &&
      status.type() == sys::fs::file_type::regular_file)
    sys::fs::remove(path);
}
