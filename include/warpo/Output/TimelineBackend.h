//===- TimelineBackend.h - The registry of outputs that show every call ---===//
// SPDX-License-Identifier: Apache-2.0
//
// To add a timeline format, add one .cpp to lib/Output that derives from TimelineBackend and
// registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_TIMELINEBACKEND_H
#define WARPO_OUTPUT_TIMELINEBACKEND_H

#include "warpo/Output/OutputOrigin.h"
#include "warpo/Output/SourceUrl.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Record/TimeScale.h"
#include "warpo/Slice/Event.h"
#include "warpo/Support/Registry.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace warpo {

/// Information for a backend while it writes. All that it refers to outlives the backend's work.
struct TimelineInfo {
  /// Streams may be added during the run of events.
  const RecordHeader &header;
  const FunctionTable &functions;
  /// Converts times of events to nanoseconds, or to `unit`.
  TimeScale scale;
  /// The timeline's title: the record's file name without directories.
  std::string title;
  /// Only a part of the record: data on the whole, such as host phases, is not shown.
  bool isPiece = false;
  /// Calls of this function are not shown, and their time does not count for the call around them.
  /// Only for backends that support it.
  std::optional<FunctionIndex> leftOut = {};
  /// The unit of times. A format that cannot show a unit other than `ns` takes one such unit for a
  /// nanosecond.
  std::string unit = "ns";
  /// The target of links to places in the source. Only for backends that can link.
  SourceUrl sourceUrl = {};
  /// The user's labels of the record. Only for backends that show them.
  std::vector<OutputLabel> labels = {};

  /// The stream's name, or its module's if it has none. For a stream that stands for a stack of
  /// several, the name says so.
  std::string streamName(StreamIndex stream) const;
};

struct TimelineOptions {
  bool compress = false;
  /// Restart the output's state after this many events, so that a piece can be loaded alone; 0:
  /// where it costs little.
  uint64_t chunkEvents = 0;
};

/// What was simplified for the viewer, for the tool to report.
struct TimelineSummary {
  uint64_t events = 0;
  /// One text each, such as `12 calls deeper than 512 are folded into their caller`.
  std::vector<std::string> notes;
};

/// Order of calls: begin, events (any number), finish.
class TimelineBackend : public EventSink {
public:
  static constexpr llvm::StringLiteral kind = "output format";
  ~TimelineBackend() override;

  /// The extension of files, with the dot.
  virtual llvm::StringRef extension() const = 0;
  virtual bool isBinary() const = 0;
  virtual bool canCompress() const { return false; }
  virtual bool canChunk() const { return false; }
  /// Whether beside() shows samples as they are; otherwise calls are made from them. Formats that
  /// show only calls derive from CallTimeline, which returns false.
  virtual bool takesSamples() const = 0;
  /// Whether TimelineInfo::leftOut is supported.
  virtual bool canLeaveOut() const { return false; }
  /// Whether TimelineInfo::sourceUrl is used.
  virtual bool canLink() const { return false; }
  /// Whether TimelineInfo::labels are shown.
  virtual bool showsLabels() const { return false; }
  /// See ProfileBackend.
  virtual bool formsFolders() const { return false; }
  /// Calls are made from samples, so their number is meaningless.
  virtual void showSamples() {}
  /// Whether the output contains TimelineInfo::unit, or its numbers have no unit.
  virtual bool saysUnit() const { return false; }
  /// Whether the columns of events are shown.
  virtual bool takesColumns() const { return false; }

  /// Begins to write. `options` has nothing that takesSamples() and canLeaveOut() deny.
  virtual llvm::Error begin(const TimelineInfo &info, const TimelineOptions &options,
                            llvm::raw_ostream &os) = 0;
  virtual TimelineSummary summary() const = 0;
  /// Input that the format cannot represent, such as `3 samples`; for the tool to report.
  virtual std::vector<std::string> omissions() const = 0;
};

/// A format that shows only calls and counts everything else. Tools make calls from samples for
/// it.
class CallTimeline : public TimelineBackend {
public:
  bool takesSamples() const final { return false; }
  llvm::Error beside(const SideBatch &batch) final {
    beside_.add(batch.entries);
    return llvm::Error::success();
  }
  std::vector<std::string> omissions() const final { return beside_.words(); }

private:
  SideCounts beside_;
};

} // namespace warpo

#endif
