//===- PhaseLog.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PhaseLog.h"
#include "warpo/Recorder/warpo_recorder.h"
#include <ctime>

using namespace warpo;

PhaseLog::Moment PhaseLog::now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return {warpo_clock(), uint64_t(time.tv_sec) * 1000000000 + uint64_t(time.tv_nsec)};
}
