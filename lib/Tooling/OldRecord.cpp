//===- OldRecord.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OldRecord.h"
#include "warpo/Counts/CountFile.h"
#include "warpo/Record/RecordFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace warpo;

/// The first bytes of a regular file; nothing if there is none that can be read.
static std::unique_ptr<MemoryBuffer> startOf(StringRef path) {
  if (!sys::fs::is_regular_file(path))
    return nullptr;
  auto start = MemoryBuffer::getFileSlice(path, RecordFormat::sniffSize, 0);
  return start ? std::move(*start) : nullptr;
}

bool warpo::isCountsFile(StringRef path) {
  std::unique_ptr<MemoryBuffer> start = startOf(path);
  return start && isCountFile(start->getBuffer());
}

bool warpo::isRecordFile(StringRef path) {
  std::unique_ptr<MemoryBuffer> start = startOf(path);
  if (!start)
    return false;
  auto result = isRecord(arrayRefFromStringRef(start->getBuffer()));
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
  if (status.getSize() > 0 && !isRecordFile(path) && !isCountsFile(path))
    return false;
  sys::fs::remove(path);
  return true;
}
