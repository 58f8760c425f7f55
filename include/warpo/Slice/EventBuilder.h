//===- EventBuilder.h - Makes nested events, whatever it gets -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One stack of open calls, shared by all slicers, including those of plugins, so that none can
// produce events that do not nest. The rules of repair:
//
//   | entry                    | result                                                       |
//   |--------------------------|--------------------------------------------------------------|
//   | begin of f               | begin of f                                                   |
//   | end of f, f on top       | end of f, returned                                           |
//   | end of f, f deeper       | end of each call above f, unwound, now; end of f, returned   |
//   | end of f, f not open     | a lost range from the last known time to now; the calls stay |
//   | a trap, then an end of f | end of each call above f and of f, trapped, at the last time |
//   | two traps, an end of f   | the same, with the outermost f that is open                  |
//   | a trap, then a begin or  | the trap is left out                                         |
//   | the end of the record    |                                                              |
//   | n entries lost           | a lost range from the last known time to the next event      |
//   | end of the record        | end of each open call, at the stream's last known time; for  |
//   |                          | that of a program that trapped see CallsAtEnd.h              |
//   | a time before the last   | the last time                                                |
//
// The columns follow the same rules as times: inserted events have the last known counts.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SLICE_EVENTBUILDER_H
#define WARPO_SLICE_EVENTBUILDER_H

#include "warpo/Slice/EventColumns.h"
#include "llvm/Support/Compiler.h"
#include <optional>
#include <unordered_map>
#include <vector>

namespace warpo {

/// What was repaired, over all streams.
struct RepairCounts {
  uint64_t endsWithoutBegin = 0;
  uint64_t unwoundCalls = 0;
  uint64_t openCalls = 0;
  uint64_t lostEntries = 0;
  /// Not damage: the record declares it.
  uint64_t trappedCalls = 0;
  /// No end followed.
  uint64_t strayTraps = 0;
};

/// The open calls of one stack, and the events made from it since the last clear().
class EventBuilder {
public:
  /// `stream` stands for the stack; `firstTime` is its first known time, in counts.
  EventBuilder(StreamIndex stream, std::optional<uint64_t> firstTime, FunctionIds &ids,
               RepairCounts &repairs)
      : stream_(stream), last_{firstTime.value_or(0), {}}, timeIsKnown_(firstTime.has_value()),
        ids_(&ids), repairs_(repairs) {}
  EventBuilder(const EventBuilder &) = delete;
  EventBuilder &operator=(const EventBuilder &) = delete;

  /// Sets the ids of the entries that follow: several streams may share a stack, and further
  /// modules may join it.
  void enterModule(FunctionIds &ids) { ids_ = &ids; }

  /// Replays entries unchanged: one call for each begin, end and note of `batch`.
  void replay(const RecordBatch &batch);

  /// A call of function `id` (positive) begins at `time`, in counts. `counts` are those of the
  /// stream's columns; 0 stands for the last known one.
  void begin(uint64_t time, int32_t id, const Counts &counts = noCounts) {
    if (LLVM_UNLIKELY(id == trapId))
      trap(time, counts);
    else
      beginFunction(time, ids_->find(id), counts);
  }
  /// The call that ends next ended by a trap, with all calls within it. Called twice: the outermost
  /// of several open calls of its function.
  void trap(uint64_t time, const Counts &counts = noCounts);
  void beginFunction(uint64_t time, FunctionIndex function, const Counts &counts = noCounts);

  /// A call of function `id` (positive) ends. False if no such call is open.
  bool end(uint64_t time, int32_t id, const Counts &counts = noCounts) {
    return endFunction(time, ids_->find(id), EventKind::endReturned, counts);
  }
  bool endFunction(uint64_t time, FunctionIndex function, EventKind kind = EventKind::endReturned,
                   const Counts &counts = noCounts);

  /// `count` entries (0: unknown) are missing before the next event.
  void lose(uint64_t count);
  /// Sets the time of losses in a stream that had nothing else.
  void assumeTime(uint64_t time) {
    if (!timeIsKnown_)
      last_.time = time;
    timeIsKnown_ = true;
  }
  /// The open calls, if any, have lasted until this moment, unless entries are missing before it.
  void lastUntil(uint64_t time, const Counts &counts) {
    if (depth_ > 0 && !losing_)
      advance(time, counts);
  }
  /// Adds a range that another builder found lost.
  void addLost(const LostRange &range) { made_.append(range); }
  /// Ends at most `calls` open calls, the innermost first. False if more are open, so that the ends
  /// of millions of calls need not be in memory at once.
  bool finish(size_t calls = SIZE_MAX);

  StreamIndex stream() const { return stream_; }
  /// The number of open calls.
  size_t depth() const { return depth_; }
  FunctionIds &ids() const { return *ids_; }
  RepairCounts &repairs() const { return repairs_; }
  /// Nothing before the first entry of a stream that begins with a loss.
  std::optional<uint64_t> lastTime() const {
    return timeIsKnown_ ? std::optional(last_.time) : std::nullopt;
  }

  /// The events since the last clear(); valid until the next change.
  EventBatch batch() const { return made_.batch(stream_); }
  /// The indices of entries replayed since the last clear() that were ends without a matching call.
  llvm::ArrayRef<uint32_t> unmatchedEnds() const { return unmatchedEnds_; }
  void addUnmatchedEnds(llvm::ArrayRef<uint32_t> entries);
  void clear();

private:
  struct Moment {
    uint64_t time;
    Counts counts;
  };
  /// Advances to this moment, but never back; returns the previous one.
  Moment advance(uint64_t time, const Counts &counts);
  void append(FunctionIndex function, EventKind kind);
  void pop(EventKind kind);
  /// Keeps the column from now on; amounts before `first` belong to no call.
  void keep(ColumnIndex column, uint64_t first);
  void replayRun(const RecordBatch &batch, size_t first, size_t last);
  /// Replays entries until one needs repair; returns how many.
  template <size_t columns> size_t replaySound(const RecordBatch &batch, size_t first, size_t last);
  void prepareFor(size_t events);
  bool endBelowTop(const Moment &previous, FunctionIndex function);
  void endTrapped(FunctionIndex function, bool isOutermost);
  void endLoss(const Moment &to);
  bool isOpen(FunctionIndex function);
  uint32_t countOpen(FunctionIndex function);

  StreamIndex stream_;
  Moment last_;
  bool timeIsKnown_;
  FunctionIds *ids_;
  RepairCounts &repairs_;
  /// The first depth_ are the open calls; the rest is room, so that a push needs no check.
  std::vector<FunctionIndex> stack_;
  size_t depth_ = 0;
  /// By function: how many of its calls are open. Kept only while ends match nothing near the top
  /// of the stack, so that they need no search: a hostile record with a deep stack and a million
  /// such ends would take quadratic time. Sound records pay nothing for it.
  std::unordered_map<FunctionIndex, uint32_t> openCalls_;
  /// For how many more replayed entries openCalls_ is kept; 0: it is not. Slicers that do not
  /// replay keep it once they need it.
  uint64_t countedEntries_ = 0;
  /// How often trap() was called before the next end or begin: at most twice.
  uint8_t traps_ = 0;
  bool losing_ = false;
  uint64_t losingCount_ = 0;

  /// Has the known columns.
  EventColumns made_;
  std::vector<uint32_t> unmatchedEnds_;
};

} // namespace warpo

#endif
