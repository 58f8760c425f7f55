//===- FileStatus.h - Status and times of files for WASI ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_WASI_FILESTATUS_H
#define WARPO_LIB_ENGINE_WASI_FILESTATUS_H

#include "../GuestHost.h"
#include "WasiErrno.h"
#include <sys/stat.h>

namespace warpo::wasi {

/// Writes a `filestat` to this address.
Errno writeStatus(const GuestMemory &memory, uint64_t address, const struct stat &status);

/// The access time and the modification time to set, for utimensat and futimens.
struct FileTimes {
  timespec times[2];
};

/// Reads the last arguments of fd_filestat_set_times and path_filestat_set_times.
Errno readTimes(const HostCall &call, size_t firstArgument, FileTimes &times);

namespace fdflag {
enum : uint16_t { append = 1, dsync = 2, nonblock = 4, rsync = 8, sync = 16 };
}
/// Convert WASI's `fdflags` to flags of open(), and back.
int openFlagsOf(uint32_t fdFlags);
uint16_t fdFlagsOf(int openFlags);

} // namespace warpo::wasi

#endif
