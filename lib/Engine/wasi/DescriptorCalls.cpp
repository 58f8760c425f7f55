//===- DescriptorCalls.cpp - WASI's functions for open files --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Descriptors.h"
#include "FileStatus.h"
#include "WasiCalls.h"
#include <climits>
#include <csignal>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasi;

namespace {

/// The descriptor given by the first argument.
Errno find(GuestHost &host, const HostCall &call, uint64_t rights, Descriptor *&found) {
  return host.files().find(call.u32(0), rights, found);
}

/// Reads `count` pairs of address and size, which are ranges of the program's memory. Ranges may
/// overlap; bytes beyond the 4 GiB whose number the program can be given are left out, as if there
/// were no more to read or room to write. Returns false if a pair or its range is out of bounds.
bool readRanges(const GuestMemory &memory, uint64_t list, uint32_t count,
                SmallVectorImpl<iovec> &ranges) {
  if (!memory.range(list, uint64_t(count) * 8))
    return false;
  uint64_t rest = UINT32_MAX;
  for (uint64_t i = 0; i < count; ++i) {
    auto bytes = memory.range(*memory.read<uint32_t>(list + 8 * i),
                              *memory.read<uint32_t>(list + 8 * i + 4));
    if (!bytes)
      return false;
    size_t size = std::min<uint64_t>(bytes->size(), rest);
    ranges.push_back({bytes->data(), size});
    rest -= size;
  }
  return true;
}

/// Reads or writes `ranges` at the file's position or at `offset`. Returns the number of bytes, or
/// -1 if there was an error before the first byte.
ssize_t transfer(int fd, MutableArrayRef<iovec> ranges, bool reads, std::optional<off_t> offset) {
  ssize_t total = 0;
  while (!ranges.empty()) {
    auto some = ranges.take_front(IOV_MAX);
    int count = int(some.size());
    ssize_t done;
    do
      done = reads    ? offset ? preadv(fd, some.data(), count, *offset + total)
                               : readv(fd, some.data(), count)
                : offset ? pwritev(fd, some.data(), count, *offset + total)
                      : writev(fd, some.data(), count);
    while (done < 0 && errno == EINTR);
    if (done < 0)
      return total > 0 ? total : -1;
    total += done;
    size_t wanted = 0;
    for (const iovec &range : some)
      wanted += range.iov_len;
    // No more data is available now; the caller has to ask again.
    if (size_t(done) < wanted)
      break;
    ranges = ranges.drop_front(some.size());
  }
  return total;
}

/// fd_read, fd_write and, with an offset before the last argument, fd_pread and fd_pwrite.
Errno transferAll(GuestHost &host, HostCall &call, bool reads, std::optional<uint64_t> offset) {
  uint32_t resultAddress = call.u32(offset ? 4 : 3);
  SmallVector<iovec, 8> ranges;
  if (!call.memory.range(resultAddress, sizeof(uint32_t)) ||
      !readRanges(call.memory, call.u32(1), call.u32(2), ranges))
    return overflow;
  if (offset && *offset > INT64_MAX)
    return invalid;
  Descriptor *file;
  uint64_t right = reads ? right::fdRead : right::fdWrite;
  Errno error = find(host, call, offset ? right | right::fdSeek : right, file);
  if (offset && file && file->isHidden)
    return notSeekable;
  if (error)
    return error;
  ssize_t done = transfer(file->fd, ranges, reads, offset);
  if (done < 0)
    return lastError();
  return call.memory.write(resultAddress, uint32_t(done)) ? success : overflow;
}

/// Moves the position and returns the new one; the last argument of `call` is the result's address.
Errno seek(GuestHost &host, HostCall &call, uint64_t right, int64_t offset, uint32_t whence) {
  uint32_t resultAddress = call.u32(call.arguments.size() - 1);
  if (!call.memory.range(resultAddress, sizeof(uint64_t)))
    return overflow;
  Descriptor *file;
  Errno error = find(host, call, right, file);
  if (file && file->isHidden)
    return notSeekable;
  if (error)
    return error;
  constexpr int origins[] = {SEEK_SET, SEEK_CUR, SEEK_END};
  if (whence >= std::size(origins))
    return invalid;
  off_t position = lseek(file->fd, offset, origins[whence]);
  if (position < 0)
    return lastError();
  return call.memory.write(resultAddress, uint64_t(position)) ? success : overflow;
}

Errno describe(GuestHost &host, HostCall &call) {
  uint64_t address = call.u32(1);
  if (!call.memory.range(address, 24))
    return overflow;
  Descriptor *file;
  if (Errno error = find(host, call, 0, file))
    return error;
  int flags = fcntl(file->fd, F_GETFL);
  if (flags < 0)
    return lastError();
  uint64_t shown = file->isHidden ? 0 : fdFlagsOf(flags);
  call.memory.write<uint64_t>(address, uint64_t(file->kind) | shown << 16);
  call.memory.write<uint64_t>(address + 8, file->rights.base);
  call.memory.write<uint64_t>(address + 16, file->rights.inheriting);
  return success;
}

Errno setFlags(GuestHost &host, HostCall &call) {
  Descriptor *file;
  if (Errno error = find(host, call, right::fdSetFlags, file))
    return error;
  return resultOf(fcntl(file->fd, F_SETFL, openFlagsOf(call.u32(1))));
}

Errno setRights(GuestHost &host, HostCall &call) {
  Descriptor *file;
  if (Errno error = find(host, call, 0, file))
    return error;
  Rights fewer = {call.arguments[1], call.arguments[2]};
  if (!file->rights.hold(fewer))
    return notCapable;
  file->rights = fewer;
  return success;
}

Errno getStatus(GuestHost &host, HostCall &call) {
  if (!call.memory.range(call.u32(1), 64))
    return overflow;
  Descriptor *file;
  if (Errno error = find(host, call, right::fdStat, file))
    return error;
  struct stat status = {};
  if (!file->isHidden && fstat(file->fd, &status) != 0)
    return lastError();
  return writeStatus(call.memory, call.u32(1), status);
}

Errno setSize(GuestHost &host, HostCall &call) {
  Descriptor *file;
  if (Errno error = find(host, call, right::fdSetSize, file))
    return error;
  return resultOf(ftruncate(file->fd, off_t(call.arguments[1])));
}

Errno setTimes(GuestHost &host, HostCall &call) {
  FileTimes times;
  if (Errno error = readTimes(call, 1, times))
    return error;
  Descriptor *file;
  if (Errno error = find(host, call, right::fdSetTimes, file))
    return error;
  return resultOf(futimens(file->fd, times.times));
}

Errno synchronize(GuestHost &host, HostCall &call, uint64_t right, int (*system)(int)) {
  Descriptor *file;
  if (Errno error = find(host, call, right, file))
    return error;
  return resultOf(system(file->fd));
}

Errno advise(GuestHost &host, HostCall &call) {
  constexpr int advices[] = {POSIX_FADV_NORMAL,   POSIX_FADV_SEQUENTIAL, POSIX_FADV_RANDOM,
                             POSIX_FADV_WILLNEED, POSIX_FADV_DONTNEED,   POSIX_FADV_NOREUSE};
  if (call.u32(3) >= std::size(advices))
    return invalid;
  Descriptor *file;
  if (Errno error = find(host, call, right::fdAdvise, file))
    return error;
  // As in Node's WASI. Linux accepts it for folders, where it has no effect.
  if (file->kind == FileKind::directory)
    return badFile;
  return errnoOf(posix_fadvise(file->fd, off_t(call.arguments[1]), off_t(call.arguments[2]),
                               advices[call.u32(3)]));
}

/// A signal would interrupt this call, which is not restarted. So the signals of the sampler and of
/// the recording switch are blocked meanwhile.
int allocateUndisturbed(int fd, off_t offset, off_t size) {
  sigset_t held, before;
  sigemptyset(&held);
  sigaddset(&held, SIGUSR2);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal)
    sigaddset(&held, signal);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  int error = posix_fallocate(fd, offset, size);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error;
}

/// Even an empty allocation extends the file to the offset, as in Node's WASI.
Errno allocate(GuestHost &host, HostCall &call) {
  Descriptor *file;
  if (Errno error = find(host, call, right::fdAllocate, file))
    return error;
  uint64_t offset = call.arguments[1], size = call.arguments[2];
  if (offset > INT64_MAX || size > INT64_MAX - offset)
    return fileTooLarge;
  if (size > 0)
    return errnoOf(allocateUndisturbed(file->fd, off_t(offset), off_t(size)));
  struct stat status;
  if (fstat(file->fd, &status) != 0)
    return lastError();
  return status.st_size >= off_t(offset) ? success : resultOf(ftruncate(file->fd, off_t(offset)));
}

/// Returns the length of the name of a folder of --dir.
Errno getFolder(GuestHost &host, HostCall &call) {
  if (!call.memory.range(call.u32(1), 8))
    return overflow;
  Descriptor *folder;
  if (Errno error = find(host, call, 0, folder))
    return error;
  if (!folder->guestName)
    return invalid;
  // The low half is the type: a folder.
  call.memory.write(call.u32(1), uint64_t(folder->guestName->size()) << 32);
  return success;
}

Errno getFolderName(GuestHost &host, HostCall &call) {
  auto place = call.memory.range(call.u32(1), call.u32(2));
  if (!place)
    return overflow;
  Descriptor *folder;
  if (Errno error = find(host, call, 0, folder))
    return error;
  if (!folder->guestName)
    return badFile;
  if (folder->guestName->size() > place->size())
    return noBufferSpace;
  llvm::copy(*folder->guestName, place->begin());
  return success;
}

} // namespace

ArrayRef<HostFunction> warpo::wasiDescriptorFunctions() {
  static constexpr HostFunction functions[] = {
      WASI("fd_advise", "illi:i", advise(host, call)),
      WASI("fd_allocate", "ill:i", allocate(host, call)),
      WASI("fd_close", "i:i", host.files().close(call.u32(0))),
      WASI("fd_datasync", "i:i", synchronize(host, call, right::fdDatasync, fdatasync)),
      WASI("fd_fdstat_get", "ii:i", describe(host, call)),
      WASI("fd_fdstat_set_flags", "ii:i", setFlags(host, call)),
      WASI("fd_fdstat_set_rights", "ill:i", setRights(host, call)),
      WASI("fd_filestat_get", "ii:i", getStatus(host, call)),
      WASI("fd_filestat_set_size", "il:i", setSize(host, call)),
      WASI("fd_filestat_set_times", "illi:i", setTimes(host, call)),
      WASI("fd_pread", "iiili:i", transferAll(host, call, /*reads=*/true, call.arguments[3])),
      WASI("fd_prestat_get", "ii:i", getFolder(host, call)),
      WASI("fd_prestat_dir_name", "iii:i", getFolderName(host, call)),
      WASI("fd_pwrite", "iiili:i", transferAll(host, call, /*reads=*/false, call.arguments[3])),
      WASI("fd_read", "iiii:i", transferAll(host, call, /*reads=*/true, std::nullopt)),
      WASI("fd_renumber", "ii:i", host.files().renumber(call.u32(0), call.u32(1))),
      WASI("fd_seek", "ilii:i",
           seek(host, call, right::fdSeek, int64_t(call.arguments[1]), call.u32(2))),
      WASI("fd_sync", "i:i", synchronize(host, call, right::fdSync, fsync)),
      WASI("fd_tell", "ii:i", seek(host, call, right::fdTell, 0, /*whence=*/1)),
      WASI("fd_write", "iiii:i", transferAll(host, call, /*reads=*/false, std::nullopt)),
  };
  return functions;
}
