//===- OldRecord.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OldRecord.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Tooling/CoverageTool.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace warpo;

bool warpo::isRecordFile(StringRef path) {
  if (!sys::fs::is_regular_file(path))
    return false;
  auto start = MemoryBuffer::getFileSlice(path, RecordFormat::sniffSize, 0);
  if (!start)
    return false;
  auto result = isRecord(arrayRefFromStringRef((*start)->getBuffer()));
  if (result)
    return *result;
  consumeError(result.takeError());
  return false;
}

bool warpo::removeOldRecord(StringRef path) {
  sys::fs::file_status status;
  if (path.empty() || path == "-" || sys::fs::status(path, status, /*follow=*/false) ||
      status.type() != sys::fs::file_type::regular_file)
    return true;
  if (status.getSize() > 0 && !isRecordFile(path) && !holdsCounts(path))
    return false;
  sys::fs::remove(path);
  return true;
}
