//===- TimelineSteps.h - From a record's events to a timeline's backend ---===//
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

/// What a request asks to be made of the events, in the only order that works: samples become
/// calls, which are placed in phases by their times; then times are put on another clock, and last
/// come cuts, so that what is cut off counts for what is left.
class TimelineSteps {
public:
  /// `phases` may be null. Events go to `output`, which hands them to `backend`. All that is
  /// referred to outlives this.
  TimelineSteps(const TimelineRequest &request, const TimelineInfo &info, const HostPhases *phases,
                FunctionTable &functions, TimelineBackend &backend, EventSink &output);
  TimelineSteps(const TimelineSteps &) = delete;

  /// What takes the record's events.
  EventSink &first() { return *first_; }

  /// Once all has been read: says what is left out, and fails if the record, called `title`, has
  /// nothing of what was asked for.
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
