//===- FileStatus.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FileStatus.h"
#include "../ClockTimes.h"
#include "WasiRights.h"
#include <fcntl.h>

using namespace warpo;
using namespace warpo::wasi;

Errno warpo::wasi::writeStatus(const GuestMemory &memory, uint64_t address,
                               const struct stat &status) {
  const uint64_t fields[] = {uint64_t(status.st_dev),          uint64_t(status.st_ino),
                             uint64_t(kindOf(status.st_mode)), uint64_t(status.st_nlink),
                             uint64_t(status.st_size),         nanosecondsOf(status.st_atim),
                             nanosecondsOf(status.st_mtim),    nanosecondsOf(status.st_ctim)};
  if (!memory.range(address, sizeof(fields)))
    return overflow;
  for (uint64_t field : fields) {
    memory.write(address, field);
    address += sizeof(field);
  }
  return success;
}

/// Converts one of the two times. `flags` has two bits: use the given time, or the current time.
static Errno readTime(uint64_t time, uint32_t flags, timespec &result) {
  enum : uint32_t { given = 1, now = 2 };
  if (flags == (given | now))
    return invalid;
  result.tv_sec = time_t(time / nanosecondsPerSecond);
  result.tv_nsec = flags & given ? long(time % nanosecondsPerSecond)
                   : flags & now ? UTIME_NOW
                                 : UTIME_OMIT;
  return success;
}

Errno warpo::wasi::readTimes(const HostCall &call, size_t firstArgument, FileTimes &times) {
  uint32_t flags = call.u32(firstArgument + 2);
  if (flags > 15)
    return invalid;
  if (Errno error = readTime(call.arguments[firstArgument], flags & 3, times.times[0]))
    return error;
  return readTime(call.arguments[firstArgument + 1], flags >> 2, times.times[1]);
}

static constexpr struct {
  uint16_t wasi;
  int system;
} flagPairs[] = {{fdflag::append, O_APPEND},
                 {fdflag::dsync, O_DSYNC},
                 {fdflag::nonblock, O_NONBLOCK},
                 {fdflag::rsync, O_RSYNC},
                 {fdflag::sync, O_SYNC}};

int warpo::wasi::openFlagsOf(uint32_t fdFlags) {
  int flags = 0;
  for (const auto &pair : flagPairs)
    if (fdFlags & pair.wasi)
      flags |= pair.system;
  return flags;
}

uint16_t warpo::wasi::fdFlagsOf(int openFlags) {
  uint16_t flags = 0;
  for (const auto &pair : flagPairs)
    // Linux has no separate O_RSYNC: it is O_SYNC, which includes O_DSYNC.
    if (pair.wasi != fdflag::rsync && (openFlags & pair.system) == pair.system)
      flags |= pair.wasi;
  return flags;
}
