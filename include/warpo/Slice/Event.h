//===- Event.h - Properly nested calls of a stream ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What the slicer makes of a record's entries and what every output is made of. On each stream,
// events are in time order and nest: each end closes the begin last opened. Events are made by
// EventBuilder alone, which sees to that.
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

/// What an event is, and for an end why the call ended.
enum class EventKind : uint8_t {
  begin,
  /// The call's own end was recorded.
  endReturned,
  /// A later end of a call below it was recorded: an exception, a trap or a lost entry took this
  /// one's.
  endUnwound,
  /// The record ends first, or a window of time.
  endOpen,
  /// What was asked for ends first, and the record was not read on: when the call ended is not
  /// known. The time is the last one known; outputs that can leave a call open do.
  endCut,
  /// A trap took the call. The time is that of the entry before: what is known last of it.
  endTrapped,
};

inline bool isEnd(EventKind kind) { return kind != EventKind::begin; }

/// A span of time of a stream about which the record cannot be believed. It lies within the calls
/// that are open there.
struct LostRange {
  /// Before the event of this index in the batch; the size of the batch: after the last.
  uint32_t position;
  /// Counts: the last known time before, the first known time after.
  uint64_t from;
  uint64_t to;
  /// How many entries are missing, 0 if unknown.
  uint64_t count;
  /// The function whose end was met without a begin, or noFunction.
  FunctionIndex function;
  /// What the stream's columns stood at, at both ends; 0 where that is unknown.
  Counts countsFrom = {};
  Counts countsTo = {};
};

inline constexpr FunctionIndex noFunction = UINT32_MAX;

/// Sixteen bytes. Not columns, as a batch of entries has: every consumer wants all three together.
struct Event {
  /// Counts of the record's clock.
  uint64_t time;
  FunctionIndex function;
  EventKind kind;
};

/// Events of one stream, valid during the call that hands them on.
struct EventBatch {
  StreamIndex stream = 0;
  llvm::ArrayRef<Event> events;
  /// In order of position; usually none.
  llvm::ArrayRef<LostRange> lost;
  /// Never decreasing. Columns, so that events stay short where there are none.
  CountColumns counts = {};

  bool empty() const { return events.empty() && lost.empty(); }
  /// Whether its calls are cut: they are the last of their stream, and nothing else is with them.
  bool isCut() const { return !events.empty() && events.front().kind == EventKind::endCut; }
};

/// What one stream has beside its calls; valid during the call that hands it on. Stacks are those
/// of FunctionTable::stacks().
struct SideBatch {
  StreamIndex stream = 0;
  SideEntries entries;
};

/// Takes events: an output, or a step on the way to one. A sink says of every kind what becomes of
/// it; one that is a step derives from ForwardingSink, one that is about calls alone from CallSink.
class EventSink {
public:
  virtual ~EventSink();
  virtual llvm::Error events(const EventBatch &batch) = 0;
  virtual llvm::Error beside(const SideBatch &batch) = 0;
  /// There will be no more events. Called once.
  virtual llvm::Error finish() = 0;
  /// True when further events would be of no use, so that the rest of the record need not be read.
  virtual bool done() const { return false; }
};

/// A step that hands on all that it does not change.
class ForwardingSink : public EventSink {
public:
  /// `next` outlives this.
  explicit ForwardingSink(EventSink &next) : next_(next) {}

  llvm::Error events(const EventBatch &batch) override { return next_.events(batch); }
  llvm::Error beside(const SideBatch &batch) override { return next_.beside(batch); }
  llvm::Error finish() override { return next_.finish(); }
  bool done() const override { return next_.done(); }

protected:
  EventSink &next_;
};

/// Makes something of calls, to which nothing else belongs: whatever stands beside them is left out
/// here, and whoever reads the record says so where it was asked for.
class CallSink : public EventSink {
public:
  llvm::Error beside(const SideBatch &) final { return llvm::Error::success(); }
};

} // namespace warpo

#endif
