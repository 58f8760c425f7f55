//===- TimelineSteps.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TimelineSteps.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

using Clock = TimelineRequest::Clock;

static RecordPart partOf(const TimelineRequest &request) {
  if (request.clock == Clock::calls)
    return RecordPart::calls;
  return request.clock == Clock::samples ? RecordPart::samples : request.part;
}

TimelineSteps::TimelineSteps(const TimelineRequest &request, const TimelineInfo &info,
                             const HostPhases *phases, FunctionTable &functions,
                             TimelineBackend &backend, EventSink &output)
    : first_(&output) {
  if (request.view.maxDepth > 0)
    first_ = &cut_.emplace(request.view.maxDepth, info.leftOut, functions, *first_);
  bool bySamples = request.clock == Clock::samples;
  // Not set if times already are on that clock.
  std::optional<ColumnIndex> column;
  if (request.clock == Clock::measure)
    column = info.header.findColumn(request.measure);
  if (request.clock == Clock::calls)
    first_ = &clock_.emplace(std::nullopt, *first_);
  else if (bySamples || column)
    first_ = &clock_.emplace(column.value_or(0), *first_);
  if (phases)
    first_ = &phaseFrames_.emplace(*phases, info.header, functions, *first_);
  if (backend.takesSamples())
    return;
  sampleCalls_.emplace(functions, column, phaseFrames_ ? &*phaseFrames_ : nullptr, *first_);
  first_ = &chooser_.emplace(partOf(request), *first_, *sampleCalls_,
                             [&backend] { backend.showSamples(); });
}

Error TimelineSteps::report(const TimelineRequest &request, StringRef title,
                            const SlicingResult &result) const {
  if (cut_ && request.view.dropsDeeper && cut_->deeperCalls() > 0)
    note("--max-depth-drop leaves out " + countOf(cut_->deeperCalls(), "call") + " deeper than " +
         countOf(request.view.maxDepth, "level"));
  if (!chooser_)
    return Error::success();
  RecordPart part = partOf(request);
  if (part == RecordPart::samples && result.samples == 0)
    return makeError(title + " has no samples");
  if (part == RecordPart::calls && !chooser_->hasCalls() && result.samples > 0)
    return makeError(title + " has no calls, but " + countOf(result.samples, "sample"));
  if (part != RecordPart::samples && chooser_->hasCalls() && result.samples > 0)
    note(countOf(result.samples, "sample") +
         " left out, since there are calls; warpo-flamegraph --time-order --samples shows them");
  return Error::success();
}
