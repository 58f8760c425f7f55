//===- TimelineTool.h - From a record to a timeline -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_TIMELINETOOL_H
#define WARPO_TOOLING_TIMELINETOOL_H

#include "warpo/Output/TimelineBackend.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

/// What is made of the calls.
struct TimelineView {
  /// How many levels are shown; 0: all. Deeper calls count for the last one, or are left out.
  uint32_t maxDepth = 0;
  bool dropsDeeper = false;
  /// The phases of the host stand around what it called.
  bool phaseRoots = false;
};

struct TimelineRequest {
  /// At least one; several become one. They and where the timeline goes may be `-`.
  std::vector<std::string> records;
  std::string output;
  /// A name of the registry of timeline backends.
  std::string format;
  TimelineOptions options;
  /// Stop once so many slices have ended; 0: no limit.
  uint64_t maxSlices = 0;
  /// See CallOptions::renaming().
  CallOptions::Renaming renaming = nullptr;
  /// Empty: the name of the record.
  std::string title = {};
  /// What is along the axis of time. Where neither the record nor --rate says how long a count is:
  /// for `time` this machine's counter is measured, with a warning; `timeOrTicks` shows counts.
  enum class Clock : uint8_t { time, timeOrTicks, measure, calls, samples } clock = Clock::time;
  /// The name of the measure, if that is along the axis.
  std::string measure = {};
  /// For formats that do not show both.
  RecordPart part = RecordPart::any;
  TimelineView view = {};
  /// Where links to the source lead to; empty: there are none.
  SourceUrl sourceUrl = {};
  /// What the format is to say of the records.
  std::vector<OutputLabel> labels = {};
};

/// Converts the record.
llvm::Expected<ToolResult> writeTimeline(const TimelineRequest &request,
                                         const ReadingOptions &options);

} // namespace warpo

#endif
