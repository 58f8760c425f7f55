//===- PhaseLog.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PhaseLog.h"
#include "ClockTimes.h"
#include "warpo/Recorder/warpo_recorder.h"

using namespace warpo;

uint64_t PhaseLog::runNanoseconds() const {
  for (const Phase &phase : phases_)
    if (llvm::StringRef(phase.name) == "start")
      return phases_.back().end.nanoseconds - phase.begin.nanoseconds;
  return 0;
}

PhaseLog::Moment PhaseLog::now() { return {warpo_clock(), readClock(CLOCK_MONOTONIC)}; }
