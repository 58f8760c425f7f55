//===- TimelineSteps.h - Processing steps of a timeline's events ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_TIMELINESTEPS_H
#define WARPO_LIB_TOOLING_TIMELINESTEPS_H

#include "../reading/PartChooser.h"
#include "warpo/Slice/DepthCut.h"
#include "warpo/Slice/EventClock.h"
#include "warpo/Slice/PhaseFrames.h"
#include "warpo/Slice/SampleCalls.h"
#include "warpo/Tooling/TimelineTool.h"

namespace warpo {

/// Applies the steps of a request in the only possible order: samples become calls, which are
/// placed in phases by their times; then the clock is replaced; finally deep calls are cut, so that
/// these count for the remaining ones.
class TimelineSteps {
public:
  /// `phases` may be null. Events are passed to `output`, which forwards them to `backend`. All
  /// referenced objects must outlive this.
  TimelineSteps(const TimelineRequest &request, const TimelineInfo &info, const HostPhases *phases,
                FunctionTable &functions, TimelineBackend &backend, EventSink &output);
  TimelineSteps(const TimelineSteps &) = delete;

  /// The sink for the record's events.
  EventSink &first() { return *first_; }

  /// Call at the end of the record. Reports what is left out, and fails if the record, named
  /// `title`, has nothing that was requested.
  llvm::Error report(const TimelineRequest &request, llvm::StringRef title,
                     const SlicingResult &result) const;

private:
  std::optional<DepthCut> cut_;
  std::optional<EventClock> clock_;
  std::optional<PhaseFrames> phaseFrames_;
  std::optional<SampleCalls> sampleCalls_;
  std::optional<PartChooser> chooser_;
  EventSink *first_;
};

} // namespace warpo

#endif
