//===- EventWindow.h - Cuts a piece out of a record's events --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_EVENTWINDOW_H
#define WARPO_SLICE_EVENTWINDOW_H

#include "warpo/Slice/EventColumns.h"
#include <optional>
#include <vector>

namespace warpo {

/// What to keep. A slice is one complete call from the host: a stream's stack from empty to empty.
/// Slices are numbered from 1 in the order in which they begin in the record, over all streams.
struct WindowLimits {
  /// Counts since the record's earliest entry; what happens before `from` or after `to` is left
  /// out.
  std::optional<uint64_t> from;
  std::optional<uint64_t> to;
  /// When that is; if it is not known, the first one that comes is taken for it.
  std::optional<uint64_t> start;
  std::optional<uint64_t> firstSlice;
  std::optional<uint64_t> lastSlice;
  /// Stop once so many of the slices that the other limits let pass have ended; 0: no limit.
  uint64_t maxSlices = 0;

  bool any() const { return from || to || bySlice(); }
  /// Whether slices have to be counted from the start.
  bool bySlice() const { return firstSlice || lastSlice || maxSlices; }
};

/// Passes on the events within the limits, nested again: a call that is open at the window's start
/// begins there, one that is open at its end ends there as open; one that is open where no more
/// slices are wanted is cut. What was burnt by then is not
/// known: the last known fuel is taken, so that windows one after the other add up to the whole.
class EventWindow : public ForwardingSink {
public:
  EventWindow(const WindowLimits &limits, EventSink &next)
      : ForwardingSink(next), limits_(limits) {}

  llvm::Error events(const EventBatch &batch) override;
  /// What stands beside the calls is of no slice: where only some of those are wanted there is
  /// none.
  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override;
  bool done() const override;
  /// How many calls were cut; after finish().
  uint64_t cutCalls() const { return cutCalls_; }
  /// The time that the limits count from, once it is known.
  std::optional<uint64_t> start() const { return limits_.start; }

private:
  struct Stream {
    /// The calls open in the record.
    std::vector<FunctionIndex> open;
    /// How many of them have been begun in the output.
    size_t begun = 0;
    uint64_t slice = 0;
    /// Whether something of the present slice was passed on.
    bool sliceIsSeen = false;
    /// Of what was passed on last.
    uint64_t lastTime = 0;
    Counts lastCounts = {};
    /// What the columns are known to stand at, and which are known.
    Counts counts = {};
    ColumnSet columns;
    /// Whether an event after the window's end has been seen.
    bool left = false;
  };

  void setStart(uint64_t time);
  bool sliceIsWanted(const Stream &stream) const;
  void leave(Stream &stream);
  void take(Stream &stream, const Event &event, const Counts &counts);
  void take(Stream &stream, const LostRange &range);
  void beginOpenCalls(Stream &stream, uint64_t time);
  void endOpenCalls(Stream &stream, EventKind kind, uint64_t time, const Counts &counts);
  llvm::Error passOn(StreamIndex stream);

  /// With `from` and `to` as times, once the first event is known.
  WindowLimits limits_;
  bool started_ = false;
  std::vector<Stream> streams_;
  uint64_t slicesBegun_ = 0;
  uint64_t seenSlicesEnded_ = 0;
  uint64_t wantedSlicesEnded_ = 0;
  uint64_t cutCalls_ = 0;
  EventColumns made_;
  SideColumns beside_;
};

} // namespace warpo

#endif
