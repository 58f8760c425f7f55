//===- SourceFiles.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/Annotation.h"
#include "warpo/Support/FilesInUse.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace warpo;

/// A record may name any file, including endless devices.
static constexpr uint64_t largestSource = uint64_t(64) << 20;

static std::string problemOf(StringRef path) {
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(path, status))
    return code.message();
  if (!sys::fs::is_regular_file(status))
    return "not a file";
  if (status.getSize() > largestSource)
    return "larger than 64 MiB";
  return "";
}

void SourceFiles::read(StringRef path, File &file) {
  file.problem = problemOf(path);
  if (!file.problem.empty())
    return;
  // Outputs that would overwrite the file are refused from here on.
  if (Error error = FilesInUse::enterInput(path)) {
    consumeError(std::move(error));
    file.problem = "it is the output";
    return;
  }
  auto text = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (text)
    file.text = std::move(*text);
  else
    file.problem = text.getError().message();
}

SourceFiles::File &SourceFiles::open(StringRef path) {
  auto [entry, isNew] = files_.try_emplace(path.str());
  File &file = entry->second;
  if (!isNew)
    return file;
  read(path, file);
  if (auto given = provided_.find(path); !file.text && given != provided_.end()) {
    file.text = MemoryBuffer::getMemBuffer(given->second, path, /*RequiresNullTerminator=*/false);
    file.problem.clear();
  }
  StringRef rest = file.text ? file.text->getBuffer() : StringRef();
  while (!rest.empty()) {
    auto [line, behind] = rest.split('\n');
    line.consume_back("\r");
    file.lines.push_back(line);
    rest = behind;
  }
  return file;
}

std::optional<StringRef> SourceFiles::line(StringRef path, uint32_t number) {
  const File &file = open(path);
  if (number == 0 || number > file.lines.size())
    return std::nullopt;
  return file.lines[number - 1];
}
