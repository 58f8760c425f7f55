//===- TimelineTool.h - From a record to a timeline -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_TIMELINETOOL_H
#define WARPO_TOOLING_TIMELINETOOL_H

#include "warpo/Output/TimelineBackend.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

/// How calls are shown.
struct TimelineView {
  /// The number of levels; 0: all. Deeper calls become part of the last level, or are dropped.
  uint32_t maxDepth = 0;
  bool dropsDeeper = false;
  /// Whether the phases of the host are around the calls in them.
  bool phaseRoots = false;
};

struct TimelineRequest {
  /// At least one; several are joined. Records and output may be `-`.
  std::vector<std::string> records;
  std::string output;
  /// A name in the registry of timeline backends.
  std::string format;
  TimelineOptions options;
  /// Stop when this many slices have ended; 0: no limit.
  uint64_t maxSlices = 0;
  /// See CallOptions::renaming().
  CallOptions::Renaming renaming = nullptr;
  /// Empty: the name of the record.
  std::string title = {};
  /// The measure along the axis of time. If neither the record nor --rate gives the duration of a
  /// count, `time` measures this machine's counter, with a warning, and `timeOrTicks` shows counts.
  enum class Clock : uint8_t { time, timeOrTicks, measure, calls, samples } clock = Clock::time;
  /// The name for Clock::measure.
  std::string measure = {};
  /// The part to show, for formats that cannot show both.
  RecordPart part = RecordPart::any;
  TimelineView view = {};
  /// The target of links to the source; empty: no links.
  SourceUrl sourceUrl = {};
  /// Labels of the records, for formats that support them.
  std::vector<OutputLabel> labels = {};
};

/// Converts the record.
llvm::Expected<ToolResult> writeTimeline(const TimelineRequest &request,
                                         const ReadingOptions &options);

} // namespace warpo

#endif
