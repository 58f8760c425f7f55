//===- Event.h - Properly nested calls of a stream ------------------------===//
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
  /// The record ends first.
  endOpen,
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
  /// How many entries are missing, 0 if nobody knows.
  uint64_t count;
  /// The function whose end was met without a begin, or noFunction.
  FunctionIndex function;
  /// What the stream had burnt at both ends; 0 in a stream without fuel.
  uint64_t fuelFrom = 0;
  uint64_t fuelTo = 0;
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
  /// What the stream had burnt at each event, never decreasing; empty where nobody knows: it stays
  /// as it was. A column, so that events stay short where there is none.
  llvm::ArrayRef<uint64_t> fuel = {};

  bool empty() const { return events.empty() && lost.empty(); }
};

/// Samples of one stream, in time order; valid during the call that hands them on.
struct SampleBatch {
  StreamIndex stream = 0;
  /// Their stacks are those of FunctionTable::stacks().
  llvm::ArrayRef<StackSample> samples;
};

/// Takes events: an output, or a step on the way to one.
class EventSink {
public:
  virtual ~EventSink();
  virtual llvm::Error events(const EventBatch &batch) = 0;
  /// A sink that knows none leaves them out.
  virtual llvm::Error samples(const SampleBatch &batch) { return llvm::Error::success(); }
  /// There will be no more events. Called once.
  virtual llvm::Error finish() = 0;
  /// True when further events would be of no use, so that the rest of the record need not be read.
  virtual bool done() const { return false; }
};

} // namespace warpo

#endif
