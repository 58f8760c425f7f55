//===- PathCalls.cpp - WASI's functions that take paths -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The rights of the folder in which a path begins decide whether a call is allowed. Paths cannot
// leave that folder: BeneathPath.h.
//
//===----------------------------------------------------------------------===//

#include "BeneathPath.h"
#include "FileStatus.h"
#include "WasiCalls.h"
#include <climits>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasi;

namespace {

/// A text given by two arguments, its address and its length.
std::optional<StringRef> textOf(const HostCall &call, size_t argument) {
  auto bytes = call.memory.range(call.u32(argument), call.u32(argument + 1));
  if (!bytes)
    return std::nullopt;
  return StringRef(reinterpret_cast<const char *>(bytes->data()), bytes->size());
}

/// Whether the program asks to follow a link at the end of a path.
LastLink lastLinkOf(uint32_t lookupFlags) {
  return lookupFlags & 1 ? LastLink::follow : LastLink::followBeforeSlash;
}

/// Resolves a path that begins in the folder `number`, which must have these rights.
Errno resolve(GuestHost &host, uint32_t number, std::optional<StringRef> path, Rights rights,
              LastLink lastLink, Place &place) {
  if (!path)
    return overflow;
  Descriptor *folder;
  if (Errno error = host.files().find(number, rights, folder))
    return error;
  if (folder->kind != FileKind::directory)
    return notCapable;
  return resolveBeneath(folder->fd, *path, lastLink, place);
}

Errno statPlace(const Place &place, struct stat &status) {
  if (fstatat(place.parent, place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    return lastError();
  return place.hasSlash && !S_ISDIR(status.st_mode) ? notFolder : success;
}

/// For calls in which the kernel would follow a link if a slash were behind it.
Errno checkSlash(const Place &place) {
  struct stat status;
  return place.hasSlash ? statPlace(place, status) : success;
}

Errno createDirectory(GuestHost &host, HostCall &call) {
  Place place;
  if (Errno error = resolve(host, call.u32(0), textOf(call, 1), {right::createDirectory},
                            LastLink::keep, place))
    return error;
  return resultOf(mkdirat(place.parent, place.nameWithSlash().c_str(), 0777));
}

Errno removeEntry(GuestHost &host, HostCall &call, uint64_t right, int flags) {
  Place place;
  if (Errno error = resolve(host, call.u32(0), textOf(call, 1), {right}, LastLink::keep, place))
    return error;
  return resultOf(unlinkat(place.parent, place.nameWithSlash().c_str(), flags));
}

Errno getStatus(GuestHost &host, HostCall &call) {
  if (!call.memory.range(call.u32(4), 64))
    return overflow;
  Place place;
  if (Errno error = resolve(host, call.u32(0), textOf(call, 2), {right::statPath},
                            lastLinkOf(call.u32(1)), place))
    return error;
  struct stat status;
  if (Errno error = statPlace(place, status))
    return error;
  return writeStatus(call.memory, call.u32(4), status);
}

Errno setTimes(GuestHost &host, HostCall &call) {
  auto path = textOf(call, 2);
  if (!path)
    return overflow;
  FileTimes times;
  if (Errno error = readTimes(call, 4, times))
    return error;
  Place place;
  if (Errno error =
          resolve(host, call.u32(0), path, {right::setPathTimes}, lastLinkOf(call.u32(1)), place))
    return error;
  // The kernel does not check that the file exists if neither time is to be set.
  struct stat status;
  if (Errno error = statPlace(place, status))
    return error;
  return resultOf(utimensat(place.parent, place.name.c_str(), times.times, AT_SYMLINK_NOFOLLOW));
}

/// The two paths of a call that creates a new name for a file.
struct TwoPaths {
  uint32_t oldFolder, newFolder;
  std::optional<StringRef> oldPath, newPath;
  Rights oldRights, newRights;
  LastLink oldLastLink = LastLink::keep;
};

Errno resolveBoth(GuestHost &host, const TwoPaths &paths, Place &from, Place &to) {
  if (!paths.oldPath || !paths.newPath)
    return overflow;
  // Errors of the folders take precedence over errors of the paths.
  Descriptor *folder;
  if (Errno error = host.files().find(paths.oldFolder, paths.oldRights, folder))
    return error;
  if (Errno error = host.files().find(paths.newFolder, paths.newRights, folder))
    return error;
  if (Errno error =
          resolve(host, paths.oldFolder, paths.oldPath, paths.oldRights, paths.oldLastLink, from))
    return error;
  return resolve(host, paths.newFolder, paths.newPath, paths.newRights, LastLink::keep, to);
}

Errno link(GuestHost &host, HostCall &call) {
  Place from, to;
  TwoPaths paths = {
      call.u32(0),         call.u32(4),         textOf(call, 2),        textOf(call, 5),
      {right::linkSource}, {right::linkTarget}, lastLinkOf(call.u32(1))};
  if (Errno error = resolveBoth(host, paths, from, to))
    return error;
  if (Errno error = checkSlash(from))
    return error;
  return resultOf(linkat(from.parent, from.name.c_str(), to.parent, to.nameWithSlash().c_str(), 0));
}

Errno rename(GuestHost &host, HostCall &call) {
  Place from, to;
  TwoPaths paths = {call.u32(0),     call.u32(3),           textOf(call, 1),
                    textOf(call, 4), {right::renameSource}, {right::renameTarget}};
  if (Errno error = resolveBoth(host, paths, from, to))
    return error;
  return resultOf(
      renameat(from.parent, from.nameWithSlash().c_str(), to.parent, to.nameWithSlash().c_str()));
}

Errno makeLink(GuestHost &host, HostCall &call) {
  auto target = textOf(call, 0);
  if (!target)
    return overflow;
  Place place;
  if (Errno error =
          resolve(host, call.u32(2), textOf(call, 3), {right::makeLink}, LastLink::keep, place))
    return error;
  if (target->empty() || target->contains('\0'))
    return invalid;
  const FileId &root = host.files().find(call.u32(2))->root;
  if (Errno error = checkLinkTarget(place.parent, root, *target))
    return error;
  return resultOf(symlinkat(target->str().c_str(), place.parent, place.nameWithSlash().c_str()));
}

Errno readLink(GuestHost &host, HostCall &call) {
  auto buffer = call.memory.range(call.u32(3), call.u32(4));
  if (!buffer || !call.memory.range(call.u32(5), sizeof(uint32_t)))
    return overflow;
  Place place;
  if (Errno error = resolve(host, call.u32(0), textOf(call, 1), {right::readLink},
                            LastLink::followBeforeSlash, place))
    return error;
  if (buffer->empty())
    return invalid;
  if (Errno error = checkSlash(place))
    return error;
  // Not directly into the program's memory: its size may be too large for the kernel.
  char target[PATH_MAX];
  ssize_t size = readlinkat(place.parent, place.name.c_str(), target,
                            std::min(buffer->size(), sizeof(target)));
  if (size < 0)
    return lastError();
  std::copy_n(target, size, buffer->begin());
  return call.memory.write(call.u32(5), uint32_t(size)) ? success : overflow;
}

/// The request of path_open.
struct OpenRequest {
  enum : uint32_t { create = 1, directory = 2, exclusive = 4, truncate = 8 };
  uint32_t openFlags, fdFlags;
  Rights rights;

  bool has(uint32_t flag) const { return openFlags & flag; }
  bool reads() const { return rights.base & (right::fdRead | right::readDirectory); }
  bool writes() const {
    return rights.base &
           (right::fdDatasync | right::fdWrite | right::fdAllocate | right::fdSetSize);
  }
  int systemFlags() const;
  Rights neededRights() const;
};

int OpenRequest::systemFlags() const {
  int flags = writes() ? reads() ? O_RDWR : O_WRONLY : O_RDONLY;
  flags |= openFlagsOf(fdFlags) | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
  if (has(create))
    flags |= O_CREAT;
  if (has(directory))
    flags |= O_DIRECTORY;
  if (has(exclusive))
    flags |= O_EXCL;
  if (has(truncate))
    flags |= O_TRUNC;
  return flags;
}

/// The rights that the folder must have.
Rights OpenRequest::neededRights() const {
  Rights needed = {right::openPath, rights.base | rights.inheriting};
  if (has(create))
    needed.base |= right::createFile;
  if (has(truncate))
    needed.base |= right::setPathSize;
  if (fdFlags & fdflag::dsync)
    needed.inheriting |= right::fdDatasync;
  if (fdFlags & (fdflag::rsync | fdflag::sync))
    needed.inheriting |= right::fdSync;
  if (writes() && !has(truncate) && !(fdFlags & fdflag::append))
    needed.inheriting |= right::fdSeek;
  return needed;
}

/// Opens the file and finds out its kind.
Errno openPlace(const Place &place, const OpenRequest &request, Descriptor &opened) {
  int flags = request.systemFlags();
  if (place.hasSlash && (flags & O_CREAT))
    return isFolder;
  if (place.hasSlash)
    flags |= O_DIRECTORY;
  opened.owner.reset(openat(place.parent, place.name.c_str(), flags, 0666));
  opened.fd = opened.owner.get();
  struct stat status;
  if (!opened.owner || fstat(opened.fd, &status) != 0)
    return lastError();
  opened.kind = kindOf(status.st_mode);
  opened.rights = rightsOf(opened.kind, opened.fd) & request.rights;
  if (opened.kind == FileKind::unknown)
    return invalid;
  if ((flags & O_ACCMODE) == O_RDONLY)
    opened.rights.base &= ~uint64_t(right::fdWrite);
  if ((flags & O_ACCMODE) == O_WRONLY)
    opened.rights.base &= ~uint64_t(right::fdRead);
  return success;
}

Errno openPath(GuestHost &host, HostCall &call) {
  if (!call.memory.range(call.u32(8), sizeof(uint32_t)))
    return overflow;
  OpenRequest request = {call.u32(4), call.u32(7), {call.arguments[5], call.arguments[6]}};
  // Older versions of Linux accept this.
  if (request.has(OpenRequest::create) && request.has(OpenRequest::directory))
    return invalid;
  bool isNew = request.has(OpenRequest::create) && request.has(OpenRequest::exclusive);
  Place place;
  // If a new file is required, any existing link is an error, wherever it leads.
  LastLink lastLink = isNew ? LastLink::keep : lastLinkOf(call.u32(1));
  if (Errno error =
          resolve(host, call.u32(0), textOf(call, 2), request.neededRights(), lastLink, place))
    return error;
  Descriptor opened{-1, OwnedDescriptor(), FileKind::unknown, {}, {}, {}};
  if (Errno error = openPlace(place, request, opened))
    return error;
  opened.root = host.files().find(call.u32(0))->root;
  uint32_t number;
  if (Errno error = host.files().add(std::move(opened), number))
    return error;
  return call.memory.write(call.u32(8), number) ? success : overflow;
}

} // namespace

ArrayRef<HostFunction> warpo::wasiPathFunctions() {
  static constexpr HostFunction functions[] = {
      WASI("path_create_directory", "iii:i", createDirectory(host, call)),
      WASI("path_filestat_get", "iiiii:i", getStatus(host, call)),
      WASI("path_filestat_set_times", "iiiilli:i", setTimes(host, call)),
      WASI("path_link", "iiiiiii:i", link(host, call)),
      WASI("path_open", "iiiiillii:i", openPath(host, call)),
      WASI("path_readlink", "iiiiii:i", readLink(host, call)),
      WASI("path_remove_directory", "iii:i",
           removeEntry(host, call, right::removeDirectory, AT_REMOVEDIR)),
      WASI("path_rename", "iiiiii:i", rename(host, call)),
      WASI("path_symlink", "iiiii:i", makeLink(host, call)),
      WASI("path_unlink_file", "iii:i", removeEntry(host, call, right::unlinkFile, 0)),
  };
  return functions;
}
