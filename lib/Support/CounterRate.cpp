//===- CounterRate.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/CounterRate.h"
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

using namespace warpo;

namespace {

/// Both clocks, read almost simultaneously.
struct ClockPair {
  uint64_t counts;
  uint64_t nanoseconds;
};

} // namespace

static uint64_t readCounter() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  uint64_t counts;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(counts));
  return counts;
#endif
}

static uint64_t readClock() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec);
}

// The closest pair of a few tries, as the thread may lose its processor in between.
static ClockPair readPair() {
  ClockPair pair{};
  uint64_t closest = UINT64_MAX;
  for (int i = 0; i < 5; ++i) {
    uint64_t before = readCounter();
    uint64_t nanoseconds = readClock();
    uint64_t took = readCounter() - before;
    if (took >= closest)
      continue;
    closest = took;
    pair = {before + took / 2, nanoseconds};
  }
  return pair;
}

CounterRate warpo::measureCounterRate(unsigned milliseconds) {
  ClockPair start = readPair();
  timespec pause{0, long(milliseconds) * 1000000};
  nanosleep(&pause, nullptr);
  ClockPair end = readPair();
  // Avoids a division by zero for a very slow counter.
  uint64_t counts = end.counts > start.counts ? end.counts - start.counts : 1;
  return {end.nanoseconds - start.nanoseconds, counts};
}
