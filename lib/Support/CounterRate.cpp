//===- CounterRate.cpp ----------------------------------------------------===//

#include "warpo/Support/CounterRate.h"
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

using namespace warpo;

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

CounterRate warpo::measureCounterRate(unsigned milliseconds) {
  uint64_t startTime = readClock();
  uint64_t startCounts = readCounter();
  timespec pause{0, long(milliseconds) * 1000000};
  nanosleep(&pause, nullptr);
  uint64_t endTime = readClock();
  uint64_t endCounts = readCounter();
  // A counter slower than the pause would leave nothing to divide by.
  return {endTime - startTime, endCounts > startCounts ? endCounts - startCounts : 1};
}
