//===- PhaseLog.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PhaseLog.h"
#include "warpo/Recorder/warpo_recorder.h"
#include <ctime>

using namespace warpo;

uint64_t PhaseLog::runNanoseconds() const {
  for (const Phase &phase : phases_)
    if (llvm::StringRef(phase.name) == "start")
      return phases_.back().end.nanoseconds - phase.begin.nanoseconds;
  return 0;
}

PhaseLog::Moment PhaseLog::now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return {warpo_clock(), uint64_t(time.tv_sec) * 1000000000 + uint64_t(time.tv_nsec)};
}
