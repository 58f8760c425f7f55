//===- Descriptors.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Descriptors.h"
#include "BeneathPath.h"
#include "warpo/Support/Errors.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasi;

/// Descriptors that are kept for this process, so that it can finish its work.
static constexpr int reserved = 16;

static int descriptorLimit() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT_MAX)
    return INT_MAX;
  return int(limit.rlim_cur) - reserved;
}

Descriptors::Descriptors(ArrayRef<int> streams, bool hidden) : limit_(descriptorLimit()) {
  for (int fd : streams) {
    struct stat status;
    auto &stream = descriptors_.emplace_back();
    if (fstat(fd, &status) != 0)
      continue;
    FileKind kind = hidden ? FileKind::unknown : kindOf(status.st_mode);
    // A folder as a standard stream was not meant for the program.
    bool isFile = !hidden && kind != FileKind::directory;
    Rights rights = isFile ? rightsOf(kind, fd) : streamRights();
    stream = Descriptor{fd, OwnedDescriptor(), kind, rights, {}, {}, hidden};
  }
}

static Error folderError(const std::string &path, int error) {
  return fileError("--dir=" + path, std::error_code(error, std::generic_category()));
}

Expected<OwnedDescriptor> warpo::wasi::openFolder(const std::string &path) {
  OwnedDescriptor fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd)
    return folderError(path, errno);
  return fd;
}

Error Descriptors::openFolders(ArrayRef<RunRequest::Directory> folders) {
  for (const RunRequest::Directory &folder : folders) {
    auto fd = openFolder(folder.host);
    if (!fd)
      return fd.takeError();
    if (!canResolveBeneath(fd->get()))
      return makeError("this kernel cannot keep programs in the folders of --dir: that needs "
                       "openat2, of Linux 5.6 or newer; use --engine=node");
    struct stat status;
    if (fstat(fd->get(), &status) != 0)
      return folderError(folder.host, errno);
    Descriptor descriptor{fd->get(),      std::move(*fd), FileKind::directory,
                          folderRights(), folder.guest,   idOf(status)};
    uint32_t number;
    if (add(std::move(descriptor), number))
      return folderError(folder.host, EMFILE);
  }
  return Error::success();
}

Errno Descriptors::add(Descriptor descriptor, uint32_t &number) {
  if (descriptor.fd >= limit_)
    return tooManyFiles;
  auto place = llvm::find(descriptors_, std::nullopt);
  number = uint32_t(place - descriptors_.begin());
  if (place == descriptors_.end())
    descriptors_.emplace_back(std::move(descriptor));
  else
    *place = std::move(descriptor);
  return success;
}

Descriptor *Descriptors::find(uint32_t number) {
  if (number >= descriptors_.size() || !descriptors_[number])
    return nullptr;
  return &*descriptors_[number];
}

Errno Descriptors::find(uint32_t number, Rights wanted, Descriptor *&found) {
  found = find(number);
  if (!found)
    return badFile;
  return found->rights.hold(wanted) ? success : notCapable;
}

Errno Descriptors::close(uint32_t number) {
  Descriptor *descriptor = find(number);
  if (!descriptor)
    return badFile;
  int fd = descriptor->owner.release();
  descriptors_[number].reset();
  // Linux closes it even if it reports that earlier writes failed.
  return fd < 0 || ::close(fd) == 0 ? success : errnoOf(errno);
}

Errno Descriptors::renumber(uint32_t from, uint32_t to) {
  if (from == to)
    return success;
  if (!find(from) || !find(to))
    return badFile;
  descriptors_[to] = std::exchange(descriptors_[from], std::nullopt);
  return success;
}
