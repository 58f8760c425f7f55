//===- InterpSampler.h - Samples of wabt's interpreter --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_INTERPSAMPLER_H
#define WARPO_LIB_ENGINE_INTERPSAMPLER_H

#include "EngineSamples.h"
#include "InterpPauses.h"
#include "warpo/Sampling/SampleClock.h"

namespace warpo::interpreter {

/// Samples an uninstrumented program on its own thread, which polls whether a sample is due.
class InterpSampler {
public:
  /// `samples` must outlive this. To be called on the program's thread.
  InterpSampler(const SamplingRequest &request, EngineSamples &samples);

  /// Adds the functions of a unit, which must have an instance. Units are added in the order in
  /// which they start.
  void add(const Unit &unit);
  /// Takes a sample if one is due.
  void look(const Frames &frames) {
    if (times_.take(std::chrono::steady_clock::now()))
      take(frames);
  }

private:
  void take(const Frames &frames);

  EngineSamples &samples_;
  SampleTimes times_;
  const uint64_t cpuTimeBefore_;
  /// By index in the store.
  llvm::DenseMap<size_t, EngineSamples::Frame> functions_;
  std::vector<EngineSamples::Frame> frames_;
};

} // namespace warpo::interpreter

#endif
