//===- TimelineTool.h - From a record to a timeline -----------------------===//

#ifndef WARPO_TOOLING_TIMELINETOOL_H
#define WARPO_TOOLING_TIMELINETOOL_H

#include "warpo/Output/TimelineBackend.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

struct TimelineRequest {
  /// At least one; several become one. They and where the timeline goes may be `-`.
  std::vector<std::string> records;
  std::string output;
  /// A name of the registry of timeline backends.
  std::string format;
  TimelineOptions options;
  /// Stop once so many slices have ended; 0: no limit.
  uint64_t maxSlices = 0;
  /// Functions are called as in their source.
  bool demangle = false;
  /// Empty: the name of the record.
  std::string title = {};
  /// What is along the axis of time. Where neither the record nor --rate says how long a count is:
  /// for `time` this machine's counter is measured, with a warning; `timeOrTicks` shows counts.
  enum class Clock : uint8_t { time, timeOrTicks, fuel, calls } clock = Clock::time;
  /// The option that asks for calls, if one does: then a record of samples alone is an error.
  std::string callsOption = {};
};

/// Converts the record.
llvm::Expected<ToolResult> writeTimeline(const TimelineRequest &request,
                                         const ReadingOptions &options);

} // namespace warpo

#endif
