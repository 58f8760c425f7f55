//===- SampleCollector.h - Collects the samples of one profile ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILER_SAMPLECOLLECTOR_H
#define WARPO_LIB_PROFILER_SAMPLECOLLECTOR_H

#include "warpo/Profile/Profile.h"
#include "warpo/Profiler/ProfiledInstance.h"
#include "warpo/Record/Declarations.h"
#include "warpo/Sampling/SampleTimer.h"
#include "warpo/Slice/SampleTree.h"
#include <unordered_map>

namespace warpo {

/// Merges the samples of an instance while they are taken: takes memory for contexts, not for
/// samples.
class SampleCollector {
public:
  /// From now on receives the instance's samples; the instance must not have a collector. Its open
  /// calls are put aside: a profile only shows calls that begin within it.
  SampleCollector(ProfiledInstance &instance, const SamplingRequest &request);
  SampleCollector(const SampleCollector &) = delete;
  SampleCollector &operator=(const SampleCollector &) = delete;
  ~SampleCollector();

  /// Implements builtin.sample of the instance.
  uint64_t sample(uint64_t fuel);
  Profile profile() const;

private:
  using Time = SampleTimes::Time;
  static constexpr ColumnIndex fuelColumn = 0;

  /// Adds functions that are new since the last call to the table.
  void declareNames();
  uint32_t stackOf(llvm::ArrayRef<OpenCall> innermostFirst);
  uint32_t childOf(uint32_t parent, int32_t id);

  ProfiledInstance &instance_;
  const SamplingRequest request_;
  const Time begin_;
  SampleTimes times_;
  SampleClock clock_;
  OpenCalls callsBefore_;

  RecordedModule module_;
  /// Declares the measures of samples.
  RecordHeader header_;
  FunctionTable functions_;
  SampleTree tree_;
  /// By parent and id.
  std::unordered_map<uint64_t, uint32_t> stacks_;
  /// The fuel of the instance before the profile, which counts from there.
  std::optional<uint64_t> fuelBefore_;
  /// The time and the fuel of the last sample.
  Time lastTime_;
  uint64_t lastFuel_ = 0;
  /// The last member, so that it is destroyed first.
  std::optional<SampleTimer> timer_;
};

} // namespace warpo

#endif
