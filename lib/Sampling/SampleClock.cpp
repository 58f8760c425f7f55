//===- SampleClock.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Sampling/SampleClock.h"
#include <algorithm>

using namespace warpo;
using std::chrono::nanoseconds;

/// Fuel used before the program's speed is known.
static constexpr uint64_t firstStep = 10000;
/// The prediction is wrong when the program's speed changes: limits the growth of a step.
static constexpr uint64_t greatestGrowth = 4;
static constexpr uint64_t leastStep = 100;
static constexpr uint64_t greatestStep = uint64_t(1) << 40;

bool SampleClock::isDue(uint64_t fuel, Time now) {
  bool isFirst = !hasBegun_;
  hasBegun_ = true;
  if (request_.everyFuel) {
    // Multiples, so that points do not depend on earlier ones.
    uint64_t every = *request_.everyFuel;
    next_ = (fuel / every + 1) * every;
    return !isFirst;
  }
  if (isFirst) {
    step_ = firstStep;
    next_ = fuel + step_;
  } else {
    estimateNext(fuel, now);
  }
  lastFuel_ = fuel;
  lastQuestion_ = now;
  return times_.take(now) && !isFirst;
}

void SampleClock::estimateNext(uint64_t fuel, Time now) {
  auto elapsed = std::max<int64_t>(nanoseconds(now - lastQuestion_).count(), 1);
  double wanted = double(fuel - lastFuel_) * double(request_.periodNanoseconds()) / questions_ /
                  double(elapsed);
  double most = double(std::min(step_ * greatestGrowth, greatestStep));
  step_ = uint64_t(std::clamp(wanted, double(leastStep), std::max(most, double(leastStep))));
  next_ = fuel + step_;
}
