//===- OutputFile.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/OutputFile.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/FilesInUse.h"
#include "warpo/Support/ResolvedPath.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

// The temporary file gets the permissions that a plain open() would have given the final one.
static const unsigned fileMode = sys::fs::all_read | sys::fs::all_write;

OutputFile::OutputFile(std::string name, std::string target, std::string temporary,
                       std::unique_ptr<raw_fd_ostream> stream)
    : name_(std::move(name)), target_(std::move(target)), temporary_(std::move(temporary)),
      stream_(std::move(stream)) {
  stream_->SetBufferSize(32 * 1024);
}

OutputFile::~OutputFile() {
  // An unreported error in a raw_fd_ostream ends the process when it is destroyed.
  consumeError(close());
  stream_->clear_error();
  if (!temporary_.empty()) {
    sys::fs::remove(temporary_);
    sys::DontRemoveFileOnSignal(temporary_);
  }
}

static mode_t currentUmask() {
  mode_t mask = umask(0);
  umask(mask);
  return mask;
}

// Creates it in the folder of `target`, so that it can be renamed. Its name does not contain the
// target's, which may have the maximum length; a `%` in the folder's name must not be treated as
// part of a model.
static std::error_code createTemporary(StringRef target, int &descriptor,
                                       SmallVectorImpl<char> &temporary) {
  std::error_code code;
  for (unsigned attempt = 0; attempt < 100; ++attempt) {
    SmallString<128> path = sys::path::parent_path(target);
    sys::path::append(path, ".warpo-" + utohexstr(sys::Process::GetRandomNumber(), true) + ".tmp");
    code = sys::fs::openFileForWrite(path, descriptor, sys::fs::CD_CreateNew, sys::fs::OF_None,
                                     fileMode & ~currentUmask());
    temporary.assign(path.begin(), path.end());
    if (code != std::errc::file_exists)
      break;
  }
  return code;
}

Expected<std::unique_ptr<OutputFile>> OutputFile::create(StringRef path) {
  std::error_code code;
  if (path.empty())
    return makeError("the name of the output file is empty");
  if (Error error = FilesInUse::enterOutput(path))
    return error;
  sys::fs::file_status status;
  bool exists = path != "-" && !sys::fs::status(path, status);
  if (exists && status.type() == sys::fs::file_type::directory_file)
    return fileError(path, "is a directory");
  bool direct = path == "-" || (exists && status.type() != sys::fs::file_type::regular_file);
  if (direct) {
    auto stream = std::make_unique<raw_fd_ostream>(path, code);
    if (code)
      return fileError(path, code);
    std::string name = path == "-" ? "<stdout>" : path.str();
    std::unique_ptr<OutputFile> file(new OutputFile(std::move(name), "", "", std::move(stream)));
    file->isStandard_ = path == "-";
    return file;
  }

  // Otherwise, a read-only file in a writable folder would be replaced.
  if (exists)
    if (std::error_code denied = sys::fs::access(path, sys::fs::AccessMode::Write))
      return fileError(path, denied);
  // Replaces the target of a link, not the link.
  auto target = followLinks(path);
  if (!target)
    return target.takeError();
  SmallString<128> temporary;
  int descriptor;
  code = createTemporary(*target, descriptor, temporary);
  if (StringRef folder = sys::path::parent_path(*target);
      code == std::errc::no_such_file_or_directory && !sys::fs::exists(folder))
    return fileError(path, "there is no folder '" + folder + "'");
  if (code)
    return fileError(path, code);
  // An existing file keeps its permissions, as with a plain open().
  if (exists)
    sys::fs::setPermissions(descriptor, status.permissions());
  sys::RemoveFileOnSignal(temporary);
  auto stream = std::make_unique<raw_fd_ostream>(descriptor, /*shouldClose=*/true);
  return std::unique_ptr<OutputFile>(
      new OutputFile(path.str(), std::move(*target), temporary.str().str(), std::move(stream)));
}

Expected<std::unique_ptr<OutputFile>> OutputFile::create(StringRef path, StringRef format,
                                                         bool isBinary) {
  auto file = create(path);
  if (file && isBinary && (*file)->os().is_displayed())
    return makeError("the format '" + format +
                     "' is binary: write it to a file (-o) or a pipe, not to the terminal");
  return file;
}

Error OutputFile::check() {
  if (!stream_->has_error())
    return Error::success();
  std::error_code code = stream_->error();
  stream_->clear_error();
  return fileError(name_, code);
}

Error OutputFile::close() {
  if (!isOpen_)
    return Error::success();
  isOpen_ = false;
  stream_->flush();
  // After a failed write, errors of close() are irrelevant.
  bool hadError = stream_->has_error();
  std::error_code code = stream_->error();
  stream_->clear_error();
  if (!isStandard_)
    stream_->close();
  if (hadError)
    return fileError(name_, code);
  if (Error error = check())
    return error;
  return isStandard_ ? Error::success() : FilesInUse::confirmOutput(name_);
}

static std::error_code moveToFreeName(const std::string &from, const std::string &to) {
  if (::link(from.c_str(), to.c_str()) == 0)
    return sys::fs::remove(from);
  if (errno == EEXIST)
    return errnoAsErrorCode();
  // File systems such as those of memory sticks may lack links. Creating the file reserves its
  // name, so that it can be replaced; until then others see an empty file.
  int claimed = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (claimed < 0)
    return errnoAsErrorCode();
  ::close(claimed);
  std::error_code code = sys::fs::rename(from, to);
  if (code)
    sys::fs::remove(to);
  return code;
}

Error OutputFile::commit() {
  if (Error error = close())
    return error;
  if (temporary_.empty())
    return Error::success();
  if (std::error_code code =
          mustBeNew_ ? moveToFreeName(temporary_, target_) : sys::fs::rename(temporary_, target_))
    return fileError(name_, code);
  sys::DontRemoveFileOnSignal(temporary_);
  temporary_.clear();
  return Error::success();
}

Error warpo::writeOutput(StringRef path, function_ref<Error(raw_ostream &)> write) {
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (Error error = write((*file)->os()))
    return error;
  return (*file)->commit();
}
