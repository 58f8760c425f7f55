//===- EventWindow.h - Cuts a piece out of a record's events --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_EVENTWINDOW_H
#define WARPO_SLICE_EVENTWINDOW_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Slice/EventColumns.h"
#include <optional>
#include <vector>

namespace warpo {

/// What to keep. A slice is a complete call from the host: a stream's stack from empty to empty.
/// Slices are numbered from 1 in the order of their begins in the record, over all streams. Time of
/// the recorder between two slices belongs to none.
struct WindowLimits {
  /// Counts since the record's earliest entry; events before `from` or after `to` are dropped.
  std::optional<uint64_t> from;
  std::optional<uint64_t> to;
  /// The time of the earliest entry; if not given, that of the first event.
  std::optional<uint64_t> start;
  std::optional<uint64_t> firstSlice;
  std::optional<uint64_t> lastSlice;
  /// Stop when this many slices that meet the other limits have ended; 0: no limit.
  uint64_t maxSlices = 0;

  bool any() const { return from || to || bySlice(); }
  /// Whether slices have to be counted from the start.
  bool bySlice() const { return firstSlice || lastSlice || maxSlices; }
};

/// Forwards the events within the limits, properly nested: a call that is open at the window's
/// start begins there, and one that is open at its end ends there as open; a call that is open when
/// no more slices are wanted is cut. Fuel at these times is unknown: the last known value is used,
/// so that consecutive windows add up to the whole.
class EventWindow : public ForwardingSink {
public:
  /// `functions`: of the record, if it may have time of the recorder; outlives this.
  EventWindow(const WindowLimits &limits, EventSink &next, const FunctionTable *functions = nullptr)
      : ForwardingSink(next), limits_(limits), functions_(functions) {}

  llvm::Error events(const EventBatch &batch) override;
  /// Side entries belong to no slice: they are dropped and counted if the window begins or ends
  /// with a slice. `maxSlices` only stops reading.
  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override;
  bool done() const override;
  /// The number of cut calls; after finish().
  uint64_t cutCalls() const { return cutCalls_; }
  /// The side entries that were dropped although they are within the limits of time.
  const SideCounts &ofNoSlice() const { return ofNoSlice_; }
  /// The time that the limits are relative to, once known.
  std::optional<uint64_t> start() const { return limits_.start; }

private:
  struct Stream {
    /// The calls open in the record.
    std::vector<FunctionIndex> open;
    /// How many of them have been begun in the output.
    size_t begun = 0;
    /// The number of the current or last slice; 0: none.
    uint64_t slice = 0;
    /// Whether an event of the current slice was forwarded.
    bool sliceIsSeen = false;
    /// Time and columns of the last forwarded event.
    uint64_t lastTime = 0;
    Counts lastCounts = {};
    /// The last known values of the columns, and which are known.
    Counts counts = {};
    ColumnSet columns;
    /// Whether an event after the window's end has been seen.
    bool left = false;
  };

  void setStart(uint64_t time);
  bool isRecording(const Event &event) const;
  bool sliceIsWanted(const Stream &stream) const;
  void leave(Stream &stream);
  void take(Stream &stream, const Event &event, const Counts &counts);
  void take(Stream &stream, const LostRange &range);
  void beginOpenCalls(Stream &stream, uint64_t time);
  void endOpenCalls(Stream &stream, EventKind kind, uint64_t time, const Counts &counts);
  llvm::Error passOn(StreamIndex stream);

  /// `from` and `to` become absolute times once the first event is known.
  WindowLimits limits_;
  const FunctionTable *functions_;
  bool started_ = false;
  std::vector<Stream> streams_;
  uint64_t slicesBegun_ = 0;
  uint64_t seenSlicesEnded_ = 0;
  uint64_t wantedSlicesEnded_ = 0;
  uint64_t cutCalls_ = 0;
  SideCounts ofNoSlice_;
  EventColumns made_;
  SideColumns beside_;
};

} // namespace warpo

#endif
