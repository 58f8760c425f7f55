//===- EventBuilder.h - Makes nested events, whatever it is told ----------===//
//
// One stack of open calls, shared by all slicers, so that none, a plugin's included, can hand on
// events that are not nested. The rules of repair:
//
//   | told                     | what becomes of it                                           |
//   |--------------------------|--------------------------------------------------------------|
//   | begin of f               | begin of f                                                   |
//   | end of f, f on top       | end of f, returned                                           |
//   | end of f, f deeper       | end of each call above f, unwound, now; end of f, returned   |
//   | end of f, f not open     | a lost range from the last known time to now; the calls stay |
//   | n entries lost           | a lost range from the last known time to the next event      |
//   | end of the record        | end of each open call, at the stream's last known time       |
//   | a time before the last   | the last time                                                |
//
// What is said of times holds for fuel: what is made up has the last known one.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SLICE_EVENTBUILDER_H
#define WARPO_SLICE_EVENTBUILDER_H

#include "warpo/Slice/Event.h"
#include "llvm/Support/Compiler.h"
#include <optional>
#include <unordered_map>
#include <vector>

namespace warpo {

/// What had to be repaired, over all streams.
struct RepairCounts {
  uint64_t endsWithoutBegin = 0;
  uint64_t unwoundCalls = 0;
  uint64_t openCalls = 0;
  uint64_t lostEntries = 0;
};

/// The open calls of one stream, and the events made of it since the last clear().
class EventBuilder {
public:
  /// `firstTime` is the first known time of the stream, in counts.
  EventBuilder(StreamIndex stream, std::optional<uint64_t> firstTime, FunctionIds &ids,
               RepairCounts &repairs)
      : stream_(stream), lastTime_(firstTime.value_or(0)), timeIsKnown_(firstTime.has_value()),
        ids_(ids), repairs_(repairs) {}
  EventBuilder(const EventBuilder &) = delete;
  EventBuilder &operator=(const EventBuilder &) = delete;

  /// Takes entries as they are: one call for each begin, end and note of `batch`.
  void replay(const RecordBatch &batch);

  /// A call of function `id` (positive) begins at `time`, in counts. `fuel` is what the stream had
  /// burnt then; 0 stands for the last known one.
  void begin(uint64_t time, int32_t id, uint64_t fuel = 0) {
    beginFunction(time, ids_.find(id), fuel);
  }
  void beginFunction(uint64_t time, FunctionIndex function, uint64_t fuel = 0);

  /// A call of function `id` (positive) ends. False if no such call is open.
  bool end(uint64_t time, int32_t id, uint64_t fuel = 0) {
    return endFunction(time, ids_.find(id), EventKind::endReturned, fuel);
  }
  bool endFunction(uint64_t time, FunctionIndex function, EventKind kind = EventKind::endReturned,
                   uint64_t fuel = 0);

  /// `count` entries (0: nobody knows how many) are missing before the next event.
  void lose(uint64_t count);
  /// A span that another builder found lost.
  void addLost(const LostRange &range);
  /// Ends what is open, at most `calls` calls, the innermost first. False if more are open: so that
  /// the ends of millions need not be held at once.
  bool finish(size_t calls = SIZE_MAX);

  StreamIndex stream() const { return stream_; }
  FunctionIds &ids() const { return ids_; }
  RepairCounts &repairs() const { return repairs_; }
  /// Nothing before the first entry of a stream that begins with a loss.
  std::optional<uint64_t> lastTime() const {
    return timeIsKnown_ ? std::optional(lastTime_) : std::nullopt;
  }

  /// The events since the last clear(); valid until the next change.
  EventBatch batch() const {
    return {stream_, llvm::ArrayRef(events_.data(), eventCount_), lost_,
            llvm::ArrayRef(fuel_.data(), hasFuel_ ? eventCount_ : 0)};
  }
  /// Of the entries replayed since the last clear(), the indices of the ends that matched nothing.
  llvm::ArrayRef<uint32_t> unmatchedEnds() const { return unmatchedEnds_; }
  void addUnmatchedEnds(llvm::ArrayRef<uint32_t> entries);
  void clear();

private:
  struct Moment {
    uint64_t time;
    uint64_t fuel;
  };
  /// Goes on to this moment, but never back; returns the one before.
  Moment advance(Moment to);
  Moment now() const { return {lastTime_, lastFuel_}; }
  void append(FunctionIndex function, EventKind kind);
  void pop(EventKind kind);
  /// Fuel is kept from now on; what was burnt before `first` is nobody's.
  void keepFuel(uint64_t first);
  void replayRun(const RecordBatch &batch, size_t first, size_t last);
  /// Replays entries as long as they need no repair; returns how many.
  template <bool hasFuel> size_t replaySound(const RecordBatch &batch, size_t first, size_t last);
  void prepareFor(size_t events);
  bool endBelowTop(Moment previous, FunctionIndex function);
  void endLoss(Moment to);
  bool isOpen(FunctionIndex function);

  StreamIndex stream_;
  uint64_t lastTime_;
  uint64_t lastFuel_ = 0;
  bool timeIsKnown_;
  /// Whether fuel_ is kept: from the first fuel that was told.
  bool hasFuel_ = false;
  FunctionIds &ids_;
  RepairCounts &repairs_;
  /// The open calls are the first depth_ of these; the rest is room, so that a push needs no check.
  std::vector<FunctionIndex> stack_;
  size_t depth_ = 0;
  /// Of each function, how many of its calls are open. Kept only while ends come that match nothing
  /// near the top of the stack: then such an end costs no search, and a hostile record of a deep
  /// stack and a million such ends is not quadratic. Sound records pay nothing for it.
  std::unordered_map<FunctionIndex, uint32_t> openCalls_;
  /// For so many more replayed entries openCalls_ is kept; 0: it is not. Slicers that do not replay
  /// keep it once they need it.
  uint64_t countedEntries_ = 0;
  bool losing_ = false;
  uint64_t losingCount_ = 0;

  /// The first eventCount_ are the events; the rest is room.
  std::vector<Event> events_;
  size_t eventCount_ = 0;
  /// Of each event, if hasFuel_; with the same room.
  std::vector<uint64_t> fuel_;
  std::vector<LostRange> lost_;
  std::vector<uint32_t> unmatchedEnds_;
};

} // namespace warpo

#endif
