//===- ReadDirectory.cpp - Reads folders for fd_readdir -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Returns the entries in the order of the file system, without `.` and `..`, as in Node's WASI. The
// cookie of an entry is the file system's position of the next one, so that reading can continue
// there even if the folder has changed, or repeat from any entry.
//
//===----------------------------------------------------------------------===//

#include "Descriptors.h"
#include "WasiCalls.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasi;

namespace {

/// Fills a part of the program's memory; the last entry may be truncated.
class EntryWriter {
public:
  explicit EntryWriter(MutableArrayRef<uint8_t> room) : room_(room) {}

  void add(const dirent64 &entry, FileKind kind) {
    StringRef name = entry.d_name;
    uint8_t head[24] = {};
    support::endian::write64le(head, uint64_t(entry.d_off));
    support::endian::write64le(head + 8, entry.d_ino);
    support::endian::write32le(head + 16, uint32_t(name.size()));
    head[20] = uint8_t(kind);
    append(head);
    append(arrayRefFromStringRef(name));
  }
  bool isFull() const { return room_.size() == used_; }
  size_t used() const { return used_; }

private:
  void append(ArrayRef<uint8_t> bytes) {
    bytes = bytes.take_front(room_.size() - used_);
    llvm::copy(bytes, room_.begin() + used_);
    used_ += bytes.size();
  }

  MutableArrayRef<uint8_t> room_;
  size_t used_ = 0;
};

FileKind kindOf(int folder, const dirent64 &entry) {
  switch (entry.d_type) {
  case DT_REG:
    return FileKind::regularFile;
  case DT_DIR:
    return FileKind::directory;
  case DT_LNK:
    return FileKind::symbolicLink;
  case DT_CHR:
    return FileKind::characterDevice;
  case DT_BLK:
    return FileKind::blockDevice;
  case DT_SOCK:
    return FileKind::socketStream;
  case DT_UNKNOWN:
    // Not every file system has the kinds in its folders.
    if (struct stat status; fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
      return wasi::kindOf(status.st_mode);
    [[fallthrough]];
  default:
    return FileKind::unknown;
  }
}

/// Adds entries from `cookie` on until there is no room.
Errno addEntries(int folder, uint64_t cookie, EntryWriter &writer) {
  if (lseek(folder, off_t(cookie), SEEK_SET) < 0)
    return errnoOf(errno);
  alignas(dirent64) char block[32 << 10];
  while (!writer.isFull()) {
    ssize_t size = getdents64(folder, block, sizeof(block));
    if (size < 0)
      return errnoOf(errno);
    if (size == 0)
      return success;
    for (ssize_t at = 0; at < size && !writer.isFull();) {
      const auto &entry = *reinterpret_cast<const dirent64 *>(block + at);
      at += entry.d_reclen;
      StringRef name = entry.d_name;
      if (name != "." && name != "..")
        writer.add(entry, kindOf(folder, entry));
    }
  }
  return success;
}

Errno readDirectory(GuestHost &host, HostCall &call) {
  auto room = call.memory.range(call.u32(1), call.u32(2));
  if (!room || !call.memory.range(call.u32(4), sizeof(uint32_t)))
    return overflow;
  Descriptor *folder;
  if (Errno error = host.files().find(call.u32(0), right::readDirectory, folder))
    return error;
  if (folder->kind != FileKind::directory)
    return notCapable;
  EntryWriter writer(*room);
  if (Errno error = addEntries(folder->fd, call.arguments[3], writer))
    return error;
  return call.memory.write(call.u32(4), uint32_t(writer.used())) ? success : overflow;
}

} // namespace

ArrayRef<HostFunction> warpo::wasiDirectoryFunctions() {
  static constexpr HostFunction functions[] = {
      WASI("fd_readdir", "iiili:i", readDirectory(host, call)),
  };
  return functions;
}
