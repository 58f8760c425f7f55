//===- WasiHost.cpp - WASI for standard streams, clocks, arguments --------===//
//
// The part of WASI, preview 1 and its predecessor alike, that needs no file system. Functions on
// files exist, since the libraries of C and Rust import them for programs that open none: no folder
// is open here, so that each gets the answer for a descriptor that is not open. A program that
// imports more (sockets, waiting) is refused when it is linked.
//
//===----------------------------------------------------------------------===//

#include "GuestHost.h"
#include <cerrno>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

namespace {

/// WASI's own numbers of errors.
enum Errno : uint16_t {
  success = 0,
  again = 6,
  badFile = 8,
  fault = 21,
  invalid = 28,
  ioError = 29,
  notSupported = 58,
  brokenPipe = 64,
  notSeekable = 70,
  notCapable = 76,
};

Errno fromErrno(int error) {
  switch (error) {
  case EAGAIN:
    return again;
  case EBADF:
    return badFile;
  case EINVAL:
    return invalid;
  case EPIPE:
    return brokenPipe;
  default:
    return ioError;
  }
}

bool isStandard(uint32_t descriptor) { return descriptor <= 2; }

/// Arguments and environment have one form: an array of pointers, and the texts one after another.
Errno writeSizes(HostCall &call, ArrayRef<std::string> texts) {
  size_t size = 0;
  for (const std::string &text : texts)
    size += text.size() + 1;
  return call.memory.write(call.u32(0), uint32_t(texts.size())) &&
                 call.memory.write(call.u32(1), uint32_t(size))
             ? success
             : fault;
}

Errno writeTexts(HostCall &call, ArrayRef<std::string> texts) {
  uint64_t pointer = call.u32(0), address = call.u32(1);
  for (const std::string &text : texts) {
    auto place = call.memory.range(address, text.size() + 1);
    if (!place || !call.memory.write(pointer, uint32_t(address)))
      return fault;
    std::copy_n(text.c_str(), text.size() + 1, place->begin());
    pointer += sizeof(uint32_t);
    address += text.size() + 1;
  }
  return success;
}

ssize_t readBytes(int fd, MutableArrayRef<uint8_t> bytes) {
  return read(fd, bytes.data(), bytes.size());
}

ssize_t writeBytes(int fd, MutableArrayRef<uint8_t> bytes) {
  return write(fd, bytes.data(), bytes.size());
}

/// Calls `transfer` with each range of an array of `count` pairs (address, size) until one is not
/// filled, and stores the number of bytes.
Errno transferAll(HostCall &call, ssize_t (*transfer)(int, MutableArrayRef<uint8_t>), int fd) {
  uint64_t list = call.u32(1), count = call.u32(2);
  uint32_t total = 0;
  for (uint64_t i = 0; i < count; ++i) {
    auto address = call.memory.read<uint32_t>(list + 8 * i);
    auto size = call.memory.read<uint32_t>(list + 8 * i + 4);
    auto bytes = address && size ? call.memory.range(*address, *size) : std::nullopt;
    if (!bytes)
      return fault;
    ssize_t done;
    do
      done = transfer(fd, *bytes);
    while (done < 0 && errno == EINTR);
    if (done < 0 && total == 0)
      return fromErrno(errno);
    total += uint32_t(std::max<ssize_t>(done, 0));
    if (done < ssize_t(bytes->size()))
      break;
  }
  return call.memory.write(call.u32(3), total) ? success : fault;
}

Errno transferStandard(GuestHost &host, HostCall &call, bool reads) {
  uint32_t descriptor = call.u32(0);
  if (!isStandard(descriptor) || reads != (descriptor == STDIN_FILENO))
    return badFile;
  return transferAll(call, reads ? readBytes : writeBytes, host.standardStream(descriptor));
}

/// Kind and rights of a stream. Rights to seek are left out: by them programs tell a terminal.
Errno describeStream(GuestHost &host, HostCall &call) {
  enum : uint8_t { unknown = 0, characterDevice = 2, regularFile = 4 };
  constexpr uint64_t seekAndTell = 1 << 2 | 1 << 5;
  if (!isStandard(call.u32(0)))
    return badFile;
  struct stat status;
  if (fstat(host.standardStream(call.u32(0)), &status) != 0)
    return fromErrno(errno);
  uint8_t kind = !host.world().showsStreams() ? unknown
                 : S_ISCHR(status.st_mode)    ? characterDevice
                 : S_ISREG(status.st_mode)    ? regularFile
                                              : unknown;
  uint64_t address = call.u32(1);
  return call.memory.write<uint64_t>(address, kind) &&
                 call.memory.write<uint64_t>(address + 8, ~seekAndTell) &&
                 call.memory.write<uint64_t>(address + 16, 0)
             ? success
             : fault;
}

/// For what is done to files and not to streams.
Errno onFile(HostCall &call, Errno ofStream = notSupported) {
  return isStandard(call.u32(0)) ? ofStream : badFile;
}

/// For what is done to files in a folder: a stream is none.
Errno inFolder(HostCall &call, size_t folder = 0) {
  return isStandard(call.u32(folder)) ? notCapable : badFile;
}

Errno writeNumber(HostCall &call, std::optional<uint64_t> number, uint32_t address) {
  if (!number)
    return invalid;
  return call.memory.write(address, *number) ? success : fault;
}

Errno writeRandom(GuestHost &host, HostCall &call) {
  auto place = call.memory.range(call.u32(0), call.u32(1));
  if (!place)
    return fault;
  return host.world().fillRandom(*place) ? success : ioError;
}

} // namespace

/// An entry whose result is an Errno.
#define WASI(name, type, expression)                                                               \
  {                                                                                                \
    name, type, [](GuestHost &host, HostCall &call) -> std::optional<GuestEnd> {                   \
      (void)host;                                                                                  \
      call.result = expression;                                                                    \
      return std::nullopt;                                                                         \
    }                                                                                              \
  }

ArrayRef<HostFunction> warpo::wasiFunctions() {
  static constexpr HostFunction functions[] = {
      WASI("args_sizes_get", "ii:i", writeSizes(call, host.arguments())),
      WASI("args_get", "ii:i", writeTexts(call, host.arguments())),
      WASI("environ_sizes_get", "ii:i", writeSizes(call, host.environment())),
      WASI("environ_get", "ii:i", writeTexts(call, host.environment())),
      WASI("fd_read", "iiii:i", transferStandard(host, call, /*reads=*/true)),
      WASI("fd_write", "iiii:i", transferStandard(host, call, /*reads=*/false)),
      WASI("fd_close", "i:i", isStandard(call.u32(0)) ? success : badFile),
      WASI("fd_seek", "ilii:i", isStandard(call.u32(0)) ? notSeekable : badFile),
      WASI("fd_fdstat_get", "ii:i", describeStream(host, call)),
      // No folder is open: the answer that ends a C program's search for them.
      WASI("fd_prestat_get", "ii:i", badFile),
      WASI("fd_prestat_dir_name", "iii:i", badFile),
      WASI("fd_advise", "illi:i", onFile(call, notSeekable)),
      WASI("fd_allocate", "ill:i", onFile(call)),
      WASI("fd_datasync", "i:i", onFile(call)),
      WASI("fd_fdstat_set_flags", "ii:i", onFile(call)),
      WASI("fd_fdstat_set_rights", "ill:i", onFile(call)),
      WASI("fd_filestat_get", "ii:i", onFile(call)),
      WASI("fd_filestat_set_size", "il:i", onFile(call)),
      WASI("fd_filestat_set_times", "illi:i", onFile(call)),
      WASI("fd_pread", "iiili:i", onFile(call, notSeekable)),
      WASI("fd_pwrite", "iiili:i", onFile(call, notSeekable)),
      WASI("fd_readdir", "iiili:i", inFolder(call)),
      WASI("fd_renumber", "ii:i", onFile(call)),
      WASI("fd_sync", "i:i", onFile(call)),
      WASI("fd_tell", "ii:i", onFile(call, notSeekable)),
      WASI("path_create_directory", "iii:i", inFolder(call)),
      WASI("path_filestat_get", "iiiii:i", inFolder(call)),
      WASI("path_filestat_set_times", "iiiilli:i", inFolder(call)),
      WASI("path_link", "iiiiiii:i", inFolder(call)),
      WASI("path_open", "iiiiillii:i", inFolder(call)),
      WASI("path_readlink", "iiiiii:i", inFolder(call)),
      WASI("path_remove_directory", "iii:i", inFolder(call)),
      WASI("path_rename", "iiiiii:i", inFolder(call)),
      WASI("path_symlink", "iiiii:i", inFolder(call, /*folder=*/2)),
      WASI("path_unlink_file", "iii:i", inFolder(call)),
      WASI("clock_time_get", "ili:i",
           writeNumber(call, host.world().now(GuestClock(call.u32(0))), call.u32(2))),
      WASI("clock_res_get", "ii:i",
           writeNumber(call, host.world().resolution(GuestClock(call.u32(0))), call.u32(1))),
      WASI("random_get", "ii:i", writeRandom(host, call)),
      WASI("sched_yield", ":i", sched_yield() == 0 ? success : ioError),
      {"proc_exit", "i:", [](GuestHost &, HostCall &call) -> std::optional<GuestEnd> {
         return GuestEnd{int(call.u32(0)), ""};
       }}};
  return functions;
}
