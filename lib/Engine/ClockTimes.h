//===- ClockTimes.h - The system's clocks in nanoseconds ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_CLOCKTIMES_H
#define WARPO_LIB_ENGINE_CLOCKTIMES_H

#include <cstdint>
#include <ctime>

namespace warpo {

inline constexpr int64_t nanosecondsPerSecond = 1000000000;

inline uint64_t nanosecondsOf(const timespec &time) {
  return uint64_t(time.tv_sec) * nanosecondsPerSecond + uint64_t(time.tv_nsec);
}

/// Returns 0 if there is no such clock. Safe in signal handlers.
inline uint64_t readClock(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return nanosecondsOf(time);
}

} // namespace warpo

#endif
