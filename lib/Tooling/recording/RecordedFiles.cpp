//===- RecordedFiles.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordedFiles.h"
#include "../common/OtherTools.h"
#include "warpo/Counts/CountFile.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace warpo;

/// Sorted.
static std::vector<std::string> filesIn(StringRef folder) {
  std::vector<std::string> records;
  std::error_code code;
  for (sys::fs::directory_iterator file(folder, code), end; file != end && !code;
       file.increment(code))
    records.push_back(file->path());
  llvm::sort(records);
  return records;
}

static Error joinRecords(ArrayRef<std::string> records, StringRef output) {
  if (records.size() == 1) {
    std::error_code code = sys::fs::copy_file(records.front(), output);
    return code ? fileError(output, code) : Error::success();
  }
  std::vector<std::string> arguments{"--format=warpo", "-o", output.str()};
  append_range(arguments, records);
  return runStep("warpo-record-dump", arguments);
}

// Counts of several instances are concatenated, as in a file of one process.
static Expected<bool> joinCounts(ArrayRef<std::string> files, StringRef output) {
  std::vector<std::unique_ptr<MemoryBuffer>> counts;
  for (const std::string &file : files) {
    auto buffer = MemoryBuffer::getFile(file);
    if (!buffer)
      return fileError(file, buffer.getError());
    if (isCountFile((*buffer)->getBuffer()))
      counts.push_back(std::move(*buffer));
  }
  if (counts.empty())
    return false;
  if (Error error = writeOutput(output, [&](raw_ostream &os) {
        for (const auto &buffer : counts)
          os << buffer->getBuffer();
        return Error::success();
      }))
    return error;
  return true;
}

Expected<bool> warpo::joinRecorded(StringRef folder, RecordedKind kind, StringRef output) {
  std::vector<std::string> files = filesIn(folder);
  if (kind == RecordedKind::counts)
    return joinCounts(files, output);
  if (files.empty())
    return false;
  if (Error error = joinRecords(files, output))
    return error;
  return true;
}
