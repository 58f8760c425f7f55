//===- SampleClock.h - When samples of a program are due ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SAMPLING_SAMPLECLOCK_H
#define WARPO_SAMPLING_SAMPLECLOCK_H

#include <chrono>
#include <cstdint>
#include <optional>

namespace warpo {

/// When samples of a program are taken that asks for them.
struct SamplingRequest {
  /// Each time so much fuel has been burnt; nothing: `frequency` times a second.
  std::optional<uint64_t> everyFuel;
  uint64_t frequency = 1000;
  /// The engine samples the program as it is, without asking its modules.
  bool byEngine = false;
  /// Of what a program tells of its heaps: the mean of the bytes between two points, allocations
  /// with one of which are recorded, 0 being all; and what decides where they lie.
  uint64_t heapInterval = 0;
  uint64_t heapSeed = 0;

  static constexpr uint64_t greatestFrequency = 1000000;
  /// For those who want samples by fuel and do not say how many.
  static constexpr uint64_t usualFuel = 1000000;
  uint64_t periodNanoseconds() const { return 1000000000 / frequency; }
};

/// The moments at which samples of a program are due by time: one after each period. They are those
/// of all its instances together.
class SampleTimes {
public:
  using Time = std::chrono::steady_clock::time_point;

  SampleTimes(Time begin, std::chrono::nanoseconds period)
      : period_(period), due_(begin + period) {}

  /// Whether one has come that was not taken. Then the next one is waited for; what was missed is
  /// not made up for: its time is the next sample's.
  bool take(Time now) {
    if (now < due_)
      return false;
    due_ += period_ * ((now - due_) / period_ + 1);
    return true;
  }
  /// Whether take() would.
  bool areDue(Time now) const { return now >= due_; }

private:
  const std::chrono::nanoseconds period_;
  Time due_;
};

/// Decides, at each question of an instance, whether to take a sample and when it is to ask again.
/// An instance asks where it has come to a point of its fuel. For samples that are due by fuel that
/// is when they are due. For those by time it is after as much fuel as it burnt lately in a part of
/// a period, at the latest: a host that has a timer lets it ask as soon as the time has come.
class SampleClock {
public:
  using Time = SampleTimes::Time;

  /// `times` are shared by all instances and outlive this. Asked `questions` times in a period.
  SampleClock(const SamplingRequest &request, SampleTimes &times, unsigned questions = 2)
      : request_(request), times_(times), questions_(questions) {}

  /// Whether a sample is to be taken, of an instance that has burnt `fuel`. The first question is
  /// where the instance begins, and never is one.
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
  /// How much fuel to let pass between questions.
  uint64_t step_ = 0;
  Time lastQuestion_;
};

} // namespace warpo

#endif
