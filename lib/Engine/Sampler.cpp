//===- Sampler.cpp --------------------------------------------------------===//

#include "Sampler.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace warpo;
using std::chrono::nanoseconds;

/// What is burnt before anybody knows how fast the program burns.
static constexpr uint64_t firstStep = 10000;
/// A guess is off where the program changes what it does: never by more than this at once.
static constexpr uint64_t greatestGrowth = 4;
static constexpr uint64_t leastStep = 100;
static constexpr uint64_t greatestStep = uint64_t(1) << 40;

bool SampleClock::isDue(uint64_t fuel, Time now) {
  bool isFirst = !hasBegun_;
  hasBegun_ = true;
  if (request_.everyFuel) {
    // Multiples, so that the points are the same whatever came before.
    uint64_t every = *request_.everyFuel;
    next_ = (fuel / every + 1) * every;
    return !isFirst;
  }
  if (!isFirst)
    return isDueByTime(fuel, now);
  step_ = firstStep;
  lastFuel_ = fuel;
  lastQuestion_ = now;
  dueTime_ = now + nanoseconds(request_.periodNanoseconds());
  next_ = fuel + step_;
  return false;
}

bool SampleClock::isDueByTime(uint64_t fuel, Time now) {
  nanoseconds period(request_.periodNanoseconds());
  auto elapsed = std::max<int64_t>(nanoseconds(now - lastQuestion_).count(), 1);
  // Half of a period, at the speed since the last question.
  double wanted = double(fuel - lastFuel_) * double(period.count()) / 2 / double(elapsed);
  double most = double(std::min(step_ * greatestGrowth, greatestStep));
  step_ = uint64_t(std::clamp(wanted, double(leastStep), most));
  lastFuel_ = fuel;
  lastQuestion_ = now;
  next_ = fuel + step_;
  if (now < dueTime_)
    return false;
  // What was missed is not made up for: its time is the next sample's.
  dueTime_ += period;
  if (dueTime_ < now)
    dueTime_ = now + period;
  return true;
}

void Sampler::record(Instance &instance, uint64_t fuel, const std::vector<OpenCall> &calls) {
  totalFuel_ += fuel - instance.fuel;
  instance.fuel = fuel;
  frames_.clear();
  for (const OpenCall &call : llvm::reverse(calls))
    frames_.push_back({call.module, call.id, nullptr});
  warpo_sample(stream_, totalFuel_, frames_.data(), frames_.size());
}
