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
};

/// Converts the record. Where neither the record nor --rate says how long a count is, measures this
/// machine's counter, with a warning.
llvm::Expected<ToolResult> writeTimeline(const TimelineRequest &request,
                                         const ReadingOptions &options);

} // namespace warpo

#endif
