//===- Sampler.h - When a program is sampled, and what is recorded --------===//

#ifndef WARPO_LIB_ENGINE_SAMPLER_H
#define WARPO_LIB_ENGINE_SAMPLER_H

#include "OpenCalls.h"
#include "warpo/Engine/Engine.h"
#include "warpo/Recorder/sample_stream.h"
#include <chrono>

namespace warpo {

/// Decides, at each sample of a program, when the next one is due. A program asks where it has come
/// to a point of its fuel; samples that are due by time are asked for after as much fuel as it
/// burnt lately in such a time, at least twice as often, and are taken once the time has come.
class SampleClock {
public:
  using Time = std::chrono::steady_clock::time_point;

  explicit SampleClock(const SamplingRequest &request) : request_(request) {}

  /// Whether a sample is to be taken, of an instance that has burnt `fuel`. The first question is
  /// where the instance begins, and never is one.
  bool isDue(uint64_t fuel, Time now);
  /// The fuel at which to ask again.
  uint64_t next() const { return next_; }

private:
  bool isDueByTime(uint64_t fuel, Time now);

  const SamplingRequest request_;
  bool hasBegun_ = false;
  uint64_t next_ = 0;
  uint64_t lastFuel_ = 0;
  /// How much fuel to let pass between questions.
  uint64_t step_ = 0;
  Time lastQuestion_, dueTime_;
};

/// The samples of a program, of all its instances together: they have one stack.
class Sampler {
public:
  /// `stream` may be null: then nothing is recorded.
  Sampler(const SamplingRequest &request, warpo_sample_stream *stream)
      : request_(request), stream_(stream) {}
  Sampler(const Sampler &) = delete;
  Sampler &operator=(const Sampler &) = delete;
  ~Sampler() { warpo_sample_stream_close(stream_); }

  /// builtin.sample: `instance` has burnt `fuel`. `calls()` are the open ones, innermost first;
  /// asked for only if a sample is taken. Returns the fuel at which the instance asks again.
  template <typename Calls> uint64_t sample(size_t instance, uint64_t fuel, Calls calls) {
    Instance &its = instanceOf(instance);
    if (its.clock.isDue(fuel, std::chrono::steady_clock::now()))
      record(its, fuel, calls());
    return its.clock.next();
  }

private:
  struct Instance {
    SampleClock clock;
    /// At its last sample.
    uint64_t fuel = 0;
  };
  Instance &instanceOf(size_t instance) {
    while (instances_.size() <= instance)
      instances_.push_back({SampleClock(request_)});
    return instances_[instance];
  }
  void record(Instance &instance, uint64_t fuel, const std::vector<OpenCall> &calls);

  const SamplingRequest request_;
  warpo_sample_stream *stream_;
  std::vector<Instance> instances_;
  /// Of all instances.
  uint64_t totalFuel_ = 0;
  std::vector<warpo_sample_frame> frames_;
};

} // namespace warpo

#endif
