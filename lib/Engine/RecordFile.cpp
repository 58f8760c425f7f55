//===- RecordFile.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordFile.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

using namespace warpo;

std::optional<RecordFile> RecordFile::open(const std::string &path) {
  RecordFile file(path);
  constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
  file.fd_.reset(::open(path.c_str(), flags | O_EXCL, 0666));
  file.isNew_ = bool(file.fd_);
  if (!file.fd_ && errno == EEXIST)
    file.fd_.reset(::open(path.c_str(), flags, 0666));
  if (!file.fd_)
    return std::nullopt;
  return file;
}

RecordFile::~RecordFile() {
  struct stat status;
  if (isNew_ && fd_ && fstat(fd_.get(), &status) == 0 && status.st_size == 0)
    unlink(path_.c_str());
}
