//===- Sampler.h - Records a program's samples ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_SAMPLER_H
#define WARPO_LIB_ENGINE_SAMPLER_H

#include "warpo/Recorder/sample_stream.h"
#include "warpo/Sampling/OpenCalls.h"
#include "warpo/Sampling/SampleTimer.h"

namespace warpo {

/// Records the samples of all instances of a program, which share one stack.
class Sampler {
public:
  /// `stream` may be null: then nothing is recorded. If samples are due by time, instances ask
  /// `questions` times per period; with a timer twice is enough.
  Sampler(const SamplingRequest &request, warpo_sample_stream *stream, unsigned questions = 2)
      : request_(request), questions_(questions), stream_(stream),
        begin_(std::chrono::steady_clock::now()),
        times_(begin_, std::chrono::nanoseconds(request.periodNanoseconds())) {}
  Sampler(const Sampler &) = delete;
  Sampler &operator=(const Sampler &) = delete;
  ~Sampler() { warpo_sample_stream_close(stream_); }

  /// Implements builtin.sample; `instance` has used `fuel`. `calls()` returns the open calls,
  /// innermost first, and `guestFrames()` the frames of a guest within them, outermost first; both
  /// are only called if a sample is taken. Returns the fuel at which the instance asks again.
  template <typename Calls, typename GuestFrames>
  uint64_t sample(size_t instance, uint64_t fuel, Calls calls, GuestFrames guestFrames) {
    Instance &its = instanceOf(instance);
    if (its.clock.isDue(fuel, std::chrono::steady_clock::now()))
      record(its, fuel, calls(), guestFrames());
    return its.clock.next();
  }

  /// If samples are due by time, starts a timer that lowers the points of instances: see
  /// SampleTimer.
  void startTimer(llvm::ArrayRef<uint64_t *> points) {
    if (!request_.everyFuel && !points.empty())
      timer_.emplace(begin_, std::chrono::nanoseconds(request_.periodNanoseconds()), points);
  }
  /// Whether a sample is due by time, so that the running instance should ask.
  bool isOverdue() const {
    return !request_.everyFuel && times_.areDue(std::chrono::steady_clock::now());
  }

private:
  struct Instance {
    SampleClock clock;
    /// The fuel at its last sample.
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
  /// The fuel of all instances at their last samples.
  uint64_t totalFuel_ = 0;
  std::vector<warpo_sample_frame> frames_;
};

} // namespace warpo

#endif
