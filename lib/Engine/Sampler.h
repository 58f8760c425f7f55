//===- Sampler.h - The samples of a program, recorded ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_SAMPLER_H
#define WARPO_LIB_ENGINE_SAMPLER_H

#include "warpo/Recorder/sample_stream.h"
#include "warpo/Sampling/OpenCalls.h"
#include "warpo/Sampling/SampleTimer.h"

namespace warpo {

/// The samples of a program, of all its instances together: they have one stack.
class Sampler {
public:
  /// `stream` may be null: then nothing is recorded. Instances ask `questions` times in a period,
  /// of samples that are due by time; twice is enough with a timer.
  Sampler(const SamplingRequest &request, warpo_sample_stream *stream, unsigned questions = 2)
      : request_(request), questions_(questions), stream_(stream),
        begin_(std::chrono::steady_clock::now()),
        times_(begin_, std::chrono::nanoseconds(request.periodNanoseconds())) {}
  Sampler(const Sampler &) = delete;
  Sampler &operator=(const Sampler &) = delete;
  ~Sampler() { warpo_sample_stream_close(stream_); }

  /// builtin.sample: `instance` has burnt `fuel`. `calls()` are the open ones, innermost first, and
  /// `guestFrames()` what a guest has within them, outermost first; asked for only if a sample is
  /// taken. Returns the fuel at which the instance asks again.
  template <typename Calls, typename GuestFrames>
  uint64_t sample(size_t instance, uint64_t fuel, Calls calls, GuestFrames guestFrames) {
    Instance &its = instanceOf(instance);
    if (its.clock.isDue(fuel, std::chrono::steady_clock::now()))
      record(its, fuel, calls(), guestFrames());
    return its.clock.next();
  }

  /// Lets a timer lower the points of instances where samples are due by time; see SampleTimer.
  void startTimer(llvm::ArrayRef<uint64_t *> points) {
    if (!request_.everyFuel && !points.empty())
      timer_.emplace(begin_, std::chrono::nanoseconds(request_.periodNanoseconds()), points);
  }
  /// Whether a sample is due by time, and the instance that runs should ask.
  bool isOverdue() const {
    return !request_.everyFuel && times_.areDue(std::chrono::steady_clock::now());
  }

private:
  struct Instance {
    SampleClock clock;
    /// At its last sample.
    uint64_t fuel = 0;
  };
  Instance &instanceOf(size_t instance) {
    while (instances_.size() <= instance)
      instances_.push_back({SampleClock(request_, times_, questions_)});
    return instances_[instance];
  }
  void record(Instance &instance, uint64_t fuel, const std::vector<OpenCall> &calls,
              llvm::ArrayRef<std::string> guestFrames);

  const SamplingRequest request_;
  const unsigned questions_;
  warpo_sample_stream *stream_;
  const SampleTimes::Time begin_;
  SampleTimes times_;
  std::optional<SampleTimer> timer_;
  std::vector<Instance> instances_;
  /// Of all instances.
  uint64_t totalFuel_ = 0;
  std::vector<warpo_sample_frame> frames_;
};

} // namespace warpo

#endif
