//===- WasiRights.h - WASI's rights of descriptors ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rights are granted when a file is opened, and can only be removed later. WASI does not specify
// the rights of each kind of file: these are those of Node's WASI, so that programs find the same
// in every engine.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_WASI_WASIRIGHTS_H
#define WARPO_LIB_ENGINE_WASI_WASIRIGHTS_H

#include <cstdint>
#include <sys/stat.h>

namespace warpo::wasi {

namespace right {
enum : uint64_t {
  fdDatasync = 1 << 0,
  fdRead = 1 << 1,
  fdSeek = 1 << 2,
  fdSetFlags = 1 << 3,
  fdSync = 1 << 4,
  fdTell = 1 << 5,
  fdWrite = 1 << 6,
  fdAdvise = 1 << 7,
  fdAllocate = 1 << 8,
  createDirectory = 1 << 9,
  createFile = 1 << 10,
  linkSource = 1 << 11,
  linkTarget = 1 << 12,
  openPath = 1 << 13,
  readDirectory = 1 << 14,
  readLink = 1 << 15,
  renameSource = 1 << 16,
  renameTarget = 1 << 17,
  statPath = 1 << 18,
  setPathSize = 1 << 19,
  setPathTimes = 1 << 20,
  fdStat = 1 << 21,
  fdSetSize = 1 << 22,
  fdSetTimes = 1 << 23,
  makeLink = 1 << 24,
  removeDirectory = 1 << 25,
  unlinkFile = 1 << 26,
  poll = 1 << 27,
  shutDown = 1 << 28,
  accept = 1 << 29,
};
} // namespace right

/// Kinds of files with WASI's numbers.
enum class FileKind : uint8_t {
  unknown = 0,
  blockDevice = 1,
  characterDevice = 2,
  directory = 3,
  regularFile = 4,
  socketStream = 6,
  symbolicLink = 7,
};

/// Pipes count as sockets, as in Node's WASI, because WASI has no kind for them.
FileKind kindOf(mode_t mode);

struct Rights {
  /// For the descriptor itself, and for descriptors opened through it.
  uint64_t base = 0, inheriting = 0;

  bool hold(Rights wanted) const {
    return (wanted.base & ~base) == 0 && (wanted.inheriting & ~inheriting) == 0;
  }
  Rights operator&(Rights other) const {
    return {base & other.base, inheriting & other.inheriting};
  }
};

/// All rights that an open file of a kind can have. `fd` is needed to recognise terminals.
Rights rightsOf(FileKind kind, int fd);
/// The rights of a folder of --dir.
Rights folderRights();
/// The rights of any stream, whatever it is connected to.
Rights streamRights();

} // namespace warpo::wasi

#endif
