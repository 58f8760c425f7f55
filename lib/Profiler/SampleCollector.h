//===- SampleCollector.h - One profile while it is taken ------------------===//
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

/// Folds the samples of an instance as they are taken: memory is for contexts, not for samples.
class SampleCollector {
public:
  /// From now on the instance's samples come here; it has no collector yet. Its open calls are put
  /// aside: what a profile shows is what happens in it.
  SampleCollector(ProfiledInstance &instance, const SamplingRequest &request);
  SampleCollector(const SampleCollector &) = delete;
  SampleCollector &operator=(const SampleCollector &) = delete;
  ~SampleCollector();

  /// The instance's builtin.sample.
  uint64_t sample(uint64_t fuel);
  Profile profile() const;

private:
  using Time = SampleTimes::Time;
  static constexpr ColumnIndex fuelColumn = 0;

  /// Declares to the table the functions that are new since last time.
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
  /// What samples count.
  RecordHeader header_;
  FunctionTable functions_;
  SampleTree tree_;
  /// By parent and id.
  std::unordered_map<uint64_t, uint32_t> stacks_;
  /// What the instance had burnt before: profiles count from there.
  std::optional<uint64_t> fuelBefore_;
  /// When the last sample was taken, and what had been burnt then.
  Time lastTime_;
  uint64_t lastFuel_ = 0;
  /// Last, so that it ends first.
  std::optional<SampleTimer> timer_;
};

} // namespace warpo

#endif
