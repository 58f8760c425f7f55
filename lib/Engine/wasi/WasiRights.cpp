//===- WasiRights.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "WasiRights.h"
#include <unistd.h>

using namespace warpo::wasi;

FileKind warpo::wasi::kindOf(mode_t mode) {
  switch (mode & S_IFMT) {
  case S_IFREG:
    return FileKind::regularFile;
  case S_IFDIR:
    return FileKind::directory;
  case S_IFCHR:
    return FileKind::characterDevice;
  case S_IFBLK:
    return FileKind::blockDevice;
  case S_IFLNK:
    return FileKind::symbolicLink;
  case S_IFSOCK:
  case S_IFIFO:
    return FileKind::socketStream;
  default:
    return FileKind::unknown;
  }
}

namespace {

using namespace right;

constexpr uint64_t all = (uint64_t(accept) << 1) - 1;
constexpr uint64_t ofTerminal = fdRead | fdSetFlags | fdWrite | fdStat | poll;
constexpr uint64_t ofSocket = ofTerminal | shutDown | accept;
constexpr uint64_t ofFile = fdDatasync | fdRead | fdSeek | fdSetFlags | fdSync | fdTell | fdWrite |
                            fdAdvise | fdAllocate | fdStat | fdSetSize | fdSetTimes | poll;
constexpr uint64_t ofFolder = fdSetFlags | fdSync | fdAdvise | createDirectory | createFile |
                              linkSource | linkTarget | openPath | readDirectory | readLink |
                              renameSource | renameTarget | statPath | setPathSize | setPathTimes |
                              fdStat | fdSetTimes | makeLink | removeDirectory | unlinkFile | poll;

} // namespace

Rights warpo::wasi::rightsOf(FileKind kind, int fd) {
  switch (kind) {
  case FileKind::regularFile:
    return {ofFile, 0};
  case FileKind::directory:
    return folderRights();
  case FileKind::socketStream:
    return {ofSocket, all};
  case FileKind::characterDevice:
    return isatty(fd) ? Rights{ofTerminal, 0} : Rights{all, all};
  case FileKind::blockDevice:
    return {all, all};
  default:
    return {};
  }
}

Rights warpo::wasi::folderRights() { return {ofFolder, ofFolder | ofFile}; }

Rights warpo::wasi::streamRights() { return {ofTerminal, 0}; }
