//===- Event.h - Properly nested calls of a stream ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The slicer turns a record's entries into events, and all outputs are made from them. On each
// stream, events are in time order and nest: each end closes the most recent open begin. Only
// EventBuilder makes events, to guarantee that.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SLICE_EVENT_H
#define WARPO_SLICE_EVENT_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordBatch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace warpo {

/// What an event is, and for an end, why the call ended.
enum class EventKind : uint8_t {
  begin,
  /// The call's own end was recorded.
  endReturned,
  /// The end of a call around it was recorded: this one's was lost to an exception, a trap or a
  /// lost entry.
  endUnwound,
  /// The record, or a time window, ends first.
  endOpen,
  /// The requested part ends first, and the rest was not read: when the call ended is unknown. The
  /// time is the last known one; outputs that can leave a call open do so.
  endCut,
  /// The call ended by a trap. The time is that of the previous entry, the last one known for it.
  endTrapped,
};

inline bool isEnd(EventKind kind) { return kind != EventKind::begin; }

/// A time span of a stream without reliable data. It is within the calls that are open
/// there.
struct LostRange {
  /// The index of the event in the batch that it precedes; the batch's size: after the last.
  uint32_t position;
  /// In counts: the last known time before, the first known time after.
  uint64_t from;
  uint64_t to;
  /// How many entries are missing, 0 if unknown.
  uint64_t count;
  /// The function that had an end without a begin, or noFunction.
  FunctionIndex function;
  /// The counts of the stream's columns at both ends; 0 if unknown.
  Counts countsFrom = {};
  Counts countsTo = {};
};

inline constexpr FunctionIndex noFunction = UINT32_MAX;

/// Sixteen bytes. Not columns like entries: every consumer needs all three together.
struct Event {
  /// Counts of the record's clock.
  uint64_t time;
  FunctionIndex function;
  EventKind kind;
};

/// Events of one stream, valid during the call that passes them.
struct EventBatch {
  StreamIndex stream = 0;
  llvm::ArrayRef<Event> events;
  /// In order of position; usually none.
  llvm::ArrayRef<LostRange> lost;
  /// Never decreasing. Separate columns, to keep events short if there are none.
  CountColumns counts = {};

  bool empty() const { return events.empty() && lost.empty(); }
  /// Whether its calls are cut. They are then the last of their stream and alone in the batch.
  bool isCut() const { return !events.empty() && events.front().kind == EventKind::endCut; }
};

/// A stream's entries beside its calls, valid during the call that passes them. Stacks are indices
/// into FunctionTable::stacks().
struct SideBatch {
  StreamIndex stream = 0;
  SideEntries entries;
};

/// Receives events: an output, or a step on the way to one. A sink must handle each kind; a step
/// derives from ForwardingSink, a sink for calls alone from CallSink.
class EventSink {
public:
  virtual ~EventSink();
  virtual llvm::Error events(const EventBatch &batch) = 0;
  virtual llvm::Error beside(const SideBatch &batch) = 0;
  /// There will be no more events. Called once.
  virtual llvm::Error finish() = 0;
  /// Whether further events are useless, so that the rest of the record need not be read.
  virtual bool done() const { return false; }
};

/// A step that forwards everything it does not change.
class ForwardingSink : public EventSink {
public:
  /// `next` must outlive this.
  explicit ForwardingSink(EventSink &next) : next_(next) {}

  llvm::Error events(const EventBatch &batch) override { return next_.events(batch); }
  llvm::Error beside(const SideBatch &batch) override { return next_.beside(batch); }
  llvm::Error finish() override { return next_.finish(); }
  bool done() const override { return next_.done(); }

protected:
  EventSink &next_;
};

/// Processes calls only and ignores everything else. Whoever reads the record reports what is
/// missing, if it was requested.
class CallSink : public EventSink {
public:
  llvm::Error beside(const SideBatch &) final { return llvm::Error::success(); }
};

} // namespace warpo

#endif
