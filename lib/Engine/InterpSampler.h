//===- InterpSampler.h - Samples of what wabt's interpreter runs ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_INTERPSAMPLER_H
#define WARPO_LIB_ENGINE_INTERPSAMPLER_H

#include "EngineSamples.h"
#include "InterpPauses.h"
#include "warpo/Sampling/SampleClock.h"

namespace warpo::interpreter {

/// Samples a program as it is, on its thread, wherever that looks whether a sample is due.
class InterpSampler {
public:
  /// `samples` must outlive it. The calling thread is the program's.
  InterpSampler(const SamplingRequest &request, EngineSamples &samples);

  /// The unit has an instance: its functions are known from now on. Units come in the order in
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
  /// By the store's index.
  llvm::DenseMap<size_t, EngineSamples::Frame> functions_;
  std::vector<EngineSamples::Frame> frames_;
};

} // namespace warpo::interpreter

#endif
