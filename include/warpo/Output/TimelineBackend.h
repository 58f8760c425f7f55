//===- TimelineBackend.h - The registry of outputs that show every call ---===//
//
// To add a timeline format, add one .cpp to lib/Output that derives from TimelineBackend and
// registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_TIMELINEBACKEND_H
#define WARPO_OUTPUT_TIMELINEBACKEND_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Record/TimeScale.h"
#include "warpo/Slice/Event.h"
#include "warpo/Support/Registry.h"
#include "llvm/Support/raw_ostream.h"

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
  /// What times are in. Where that is not `ns`, a format that cannot say so takes one of them for a
  /// nanosecond.
  std::string unit = "ns";

  /// What to call a stream: by its own name, else by its module's.
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
  /// Whether samples() shows them.
  virtual bool takesSamples() const { return false; }
  /// Whether the output says TimelineInfo::unit, or has numbers without a unit.
  virtual bool saysUnit() const { return false; }
  /// Whether what events say of fuel is shown.
  virtual bool takesFuel() const { return false; }

  /// Writes to `os` from now on. Asks for nothing in `options` that the two functions above deny.
  virtual llvm::Error begin(const TimelineInfo &info, const TimelineOptions &options,
                            llvm::raw_ostream &os) = 0;
  virtual TimelineSummary summary() const = 0;
};

} // namespace warpo

#endif
