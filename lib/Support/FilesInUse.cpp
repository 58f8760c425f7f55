//===- FilesInUse.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/FilesInUse.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/ResolvedPath.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <cassert>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

static FilesInUse *current = nullptr;
static constexpr StringLiteral standardOutput = "<stdout>";

FilesInUse::FilesInUse() {
  assert(!current && "the files of one tool at a time");
  current = this;
}

FilesInUse::~FilesInUse() { current = nullptr; }

FilesInUse::File FilesInUse::findFile(StringRef path, int standardDescriptor) {
  File file;
  bool isStandard = path == "-";
  sys::fs::file_status status;
  std::error_code code =
      isStandard ? sys::fs::status(standardDescriptor, status) : sys::fs::status(path, status);
  file.name = !isStandard                          ? path.str()
              : standardDescriptor == STDIN_FILENO ? "<stdin>"
                                                   : standardOutput.str();
  if (!code)
    file.id = status.getUniqueID();
  else if (auto target = followLinks(path))
    file.resolvedPath = resolvedPath(*target);
  else
    consumeError(target.takeError());
  file.isRegular = !code && status.type() == sys::fs::file_type::regular_file;
  file.isDevice = !code && status.type() == sys::fs::file_type::character_file;
  return file;
}

bool FilesInUse::isSame(const File &a, const File &b) {
  if (a.id && b.id)
    return *a.id == *b.id &&
           (!a.isDevice || (a.name == standardOutput && b.name == standardOutput));
  return !a.id && !b.id && a.resolvedPath == b.resolvedPath;
}

static Error refuse(StringRef output, StringRef input) {
  return fileError(output, "is the same file as the input '" + input +
                               "', which the output would overwrite");
}

Error FilesInUse::checkAgainstInputs(const File &output) const {
  for (const File &input : inputs_)
    if (isSame(input, output))
      return refuse(output.name, input.name);
  return Error::success();
}

Error FilesInUse::checkAgainstAll(const File &output) const {
  if (Error error = checkAgainstInputs(output))
    return error;
  for (const File &other : outputs_)
    if (isSame(other, output))
      return makeError(
          "two outputs go to " +
          (output.name == standardOutput ? "standard output" : "'" + output.name + "'") +
          (other.name == output.name ? "" : ", which is also '" + other.name + "'"));
  return Error::success();
}

Error FilesInUse::enterInput(StringRef path) {
  if (!current)
    return Error::success();
  File input = findFile(path, STDIN_FILENO);
  if (!input.isRegular)
    return Error::success();
  current->inputs_.push_back(input);
  for (const File &output : current->outputs_)
    if (isSame(input, output))
      return refuse(output.name, input.name);
  return Error::success();
}

/// Some folders, such as /proc, take no files although their permissions allow it.
static std::error_code checkCreatable(StringRef path) {
  int descriptor;
  std::error_code denied = sys::fs::openFileForWrite(path, descriptor, sys::fs::CD_CreateNew);
  if (denied)
    return denied == std::errc::file_exists ? std::error_code() : denied;
  sys::Process::SafelyCloseFileDescriptor(descriptor);
  return sys::fs::remove(path);
}

/// For another program, which would fail only at its end.
static Error checkWritable(StringRef path) {
  sys::fs::file_status status;
  bool exists = !sys::fs::status(path, status);
  if (exists && status.type() == sys::fs::file_type::directory_file)
    return fileError(path, "is a directory");
  if (exists && status.type() != sys::fs::file_type::regular_file)
    return Error::success();
  auto target = followLinks(path);
  if (!target)
    return target.takeError();
  StringRef folder = sys::path::parent_path(*target);
  if (folder.empty())
    folder = ".";
  else if (!sys::fs::exists(folder))
    return fileError(path, "there is no folder '" + folder + "'");
  std::error_code denied =
      exists ? sys::fs::access(*target, sys::fs::AccessMode::Write) : checkCreatable(*target);
  return denied ? fileError(path, denied) : Error::success();
}

Error FilesInUse::checkOutput(StringRef path) {
  if (!current)
    return Error::success();
  if (Error error = current->checkAgainstAll(findFile(path, STDOUT_FILENO)))
    return error;
  return path == "-" ? Error::success() : checkWritable(path);
}

Error FilesInUse::confirmOutput(StringRef path) {
  return current ? current->checkAgainstInputs(findFile(path, STDOUT_FILENO)) : Error::success();
}

Error FilesInUse::enterOutput(StringRef path) {
  if (!current)
    return Error::success();
  File output = findFile(path, STDOUT_FILENO);
  if (Error error = current->checkAgainstAll(output))
    return error;
  current->outputs_.push_back(std::move(output));
  return Error::success();
}
