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

/// What a backend may ask while it writes. All that is referred to outlives the backend's work.
struct TimelineInfo {
  /// Streams may be added while events flow.
  const RecordHeader &header;
  const FunctionTable &functions;
  /// From the counts of the events to nanoseconds, or to `unit`.
  TimeScale scale;
  /// What the timeline is called: the record's file name without folders.
  std::string title;
  /// Not all of the record: what it says of the whole, as the phases of the host, is not shown.
  bool isPiece = false;
  /// Calls of this function count for no caller: they are not shown, and their time is no time of
  /// the call around them. Only for backends that can leave out.
  std::optional<FunctionIndex> leftOut = {};
  /// What times are in. Where that is not `ns`, a format that cannot say so takes one of them for a
  /// nanosecond.
  std::string unit = "ns";
  /// Where links to places in the source lead to. Only for backends that can link.
  SourceUrl sourceUrl = {};
  /// What the user says of the record. Only for backends with a place for it.
  std::vector<OutputLabel> labels = {};

  /// What to call a stream: by its own name, else by its module's. One that stands for a stack of
  /// several says so.
  std::string streamName(StreamIndex stream) const;
};

struct TimelineOptions {
  bool compress = false;
  /// Restart the output's state after so many events, so that a piece can be loaded alone; 0: where
  /// it costs little.
  uint64_t chunkEvents = 0;
};

/// What was given up for the sake of the viewer, for the tool to tell.
struct TimelineSummary {
  uint64_t events = 0;
  /// One text each, as in `12 calls deeper than 512 are folded into their caller`.
  std::vector<std::string> notes;
};

/// Order of calls: begin, events (any number), finish.
class TimelineBackend : public EventSink {
public:
  static constexpr llvm::StringLiteral kind = "output format";
  ~TimelineBackend() override;

  /// Of files, with the dot.
  virtual llvm::StringRef extension() const = 0;
  virtual bool isBinary() const = 0;
  virtual bool canCompress() const { return false; }
  virtual bool canChunk() const { return false; }
  /// Whether beside() shows samples as they are; else calls are made of them. Formats for calls
  /// alone derive from CallTimeline, which says so.
  virtual bool takesSamples() const = 0;
  /// Whether calls of TimelineInfo::leftOut are understood.
  virtual bool canLeaveOut() const { return false; }
  /// Whether places in the source are links with TimelineInfo::sourceUrl.
  virtual bool canLink() const { return false; }
  /// Whether TimelineInfo::labels have a place.
  virtual bool showsLabels() const { return false; }
  /// As ProfileBackend has it.
  virtual bool formsFolders() const { return false; }
  /// Calls are made of samples: how many there are means nothing.
  virtual void showSamples() {}
  /// Whether the output says TimelineInfo::unit, or has numbers without a unit.
  virtual bool saysUnit() const { return false; }
  /// Whether the columns of events are shown.
  virtual bool takesColumns() const { return false; }

  /// Writes to `os` from now on. Asks for nothing in `options` that the two functions above deny.
  virtual llvm::Error begin(const TimelineInfo &info, const TimelineOptions &options,
                            llvm::raw_ostream &os) = 0;
  virtual TimelineSummary summary() const = 0;
  /// What was given and the format has no place for, as in `3 samples`; for the tool to tell.
  virtual std::vector<std::string> omissions() const = 0;
};

/// A format that has no place for anything but calls: it counts the rest. Tools make calls of
/// samples for it.
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
