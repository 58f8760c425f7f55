//===- InterpSampler.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "InterpSampler.h"
#include "ClockTimes.h"

using namespace warpo;
using namespace warpo::interpreter;

InterpSampler::InterpSampler(const SamplingRequest &request, EngineSamples &samples)
    : samples_(samples), times_(std::chrono::steady_clock::now(),
                                std::chrono::nanoseconds(request.periodNanoseconds())),
      cpuTimeBefore_(readClock(CLOCK_THREAD_CPUTIME_ID)) {}

// A function imported from another unit belongs to that unit, which was added before.
void InterpSampler::add(const Unit &unit) {
  const interp::RefVec &functions = unit.instance->funcs();
  for (size_t i = 0; i < functions.size(); ++i)
    functions_.try_emplace(functions[i].index, EngineSamples::Frame{&unit, uint32_t(i)});
}

void InterpSampler::take(const Frames &frames) {
  frames_.clear();
  for (const interp::Frame &frame : frames)
    if (auto found = functions_.find(frame.func.index); found != functions_.end())
      frames_.push_back(found->second);
  samples_.add(readClock(CLOCK_MONOTONIC), readClock(CLOCK_THREAD_CPUTIME_ID) - cpuTimeBefore_,
               frames_, /*isCut=*/false);
}
