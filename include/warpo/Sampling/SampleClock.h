//===- SampleClock.h - When samples of a program are due ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SAMPLING_SAMPLECLOCK_H
#define WARPO_SAMPLING_SAMPLECLOCK_H

#include <chrono>
#include <cstdint>
#include <optional>

namespace warpo {

/// When to take samples of a program.
struct SamplingRequest {
  /// The sampling period in fuel; nothing: `frequency` times a second.
  std::optional<uint64_t> everyFuel;
  uint64_t frequency = 1000;
  /// The engine samples the program by itself, without calls from its modules.
  bool byEngine = false;
  /// Heap sampling: the mean distance between two samples in bytes, 0 recording every allocation;
  /// and the seed of the distances.
  uint64_t heapInterval = 0;
  uint64_t heapSeed = 0;

  static constexpr uint64_t greatestFrequency = 1000000;
  /// The default period of sampling by fuel.
  static constexpr uint64_t usualFuel = 1000000;
  uint64_t periodNanoseconds() const { return 1000000000 / frequency; }
};

/// The moments at which samples of a program are due by time: one after each period. All instances
/// of the program share them.
class SampleTimes {
public:
  using Time = std::chrono::steady_clock::time_point;

  SampleTimes(Time begin, std::chrono::nanoseconds period)
      : period_(period), due_(begin + period) {}

  /// Whether a sample is due; it counts as taken then. Missed periods are not made up for: their
  /// time counts for the next sample.
  bool take(Time now) {
    if (now < due_)
      return false;
    due_ += period_ * ((now - due_) / period_ + 1);
    return true;
  }
  /// Whether a sample is due; takes none.
  bool areDue(Time now) const { return now >= due_; }

private:
  const std::chrono::nanoseconds period_;
  Time due_;
};

/// Decides, at each question of an instance, whether to take a sample and when it is to ask again.
/// An instance asks when its fuel has reached the given value. If samples are due by fuel, that is
/// when the next one is due. If they are due by time, it is the fuel that the instance has lately
/// burnt in a part of a period; a host with a timer makes it ask earlier, when the time has come.
class SampleClock {
public:
  using Time = SampleTimes::Time;

  /// `times` is shared by all instances and outlives this. `questions`: asked per period.
  SampleClock(const SamplingRequest &request, SampleTimes &times, unsigned questions = 2)
      : request_(request), times_(times), questions_(questions) {}

  /// Whether to take a sample of an instance that has burnt `fuel`. The first question comes when
  /// the instance begins, and returns false.
  bool isDue(uint64_t fuel, Time now);
  /// The fuel at which to ask again.
  uint64_t next() const { return next_; }

private:
  void estimateNext(uint64_t fuel, Time now);

  const SamplingRequest request_;
  SampleTimes &times_;
  const unsigned questions_;
  bool hasBegun_ = false;
  uint64_t next_ = 0;
  uint64_t lastFuel_ = 0;
  /// The fuel between two questions.
  uint64_t step_ = 0;
  Time lastQuestion_;
};

} // namespace warpo

#endif
