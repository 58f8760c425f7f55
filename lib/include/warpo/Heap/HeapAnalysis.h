//===- HeapAnalysis.h - Who holds the memory ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Follows the events of a record's heaps in the order of time, in one pass and in memory for what
// is live. A free is taken from the path that allocated.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_HEAP_HEAPANALYSIS_H
#define WARPO_HEAP_HEAPANALYSIS_H

#include "warpo/Heap/FreedAddresses.h"
#include "warpo/Heap/LiveObjects.h"
#include "warpo/Record/HeapEvent.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace warpo {

/// A number of objects, and their bytes. Of a sampled heap both are estimates, so that objects are
/// counted in parts.
struct HeapAmount {
  static constexpr uint64_t partsOfObject = 1024;

  uint64_t parts = 0;
  uint64_t bytes = 0;

  /// Rounded.
  uint64_t objects() const {
    return parts / partsOfObject + (parts % partsOfObject * 2 / partsOfObject);
  }
  /// Sums stop at the largest number.
  void operator+=(const HeapAmount &more) {
    parts = parts + more.parts < parts ? UINT64_MAX : parts + more.parts;
    bytes = bytes + more.bytes < bytes ? UINT64_MAX : bytes + more.bytes;
  }
  /// There is that much.
  void operator-=(const HeapAmount &less) {
    parts -= less.parts;
    bytes -= less.bytes;
  }
  bool operator==(const HeapAmount &) const = default;

  /// What an object of `size` bytes stands for if heaps are sampled so many bytes apart in the mean
  /// (0: not sampled).
  static HeapAmount of(uint64_t size, uint64_t interval) {
    return interval == 0 ? HeapAmount{partsOfObject, size} : ofSampled(size, interval);
  }

private:
  static HeapAmount ofSampled(uint64_t size, uint64_t interval);
};

/// What was allocated from one stack.
struct HeapPath {
  /// An index into RecordHeader::stacks.
  uint32_t stack = 0;
  HeapAmount allocated;
  /// Still there: at the end, when most was live, and at HeapAnalysis::Options::at.
  HeapAmount live;
  HeapAmount atPeak;
  HeapAmount atTime;
  /// The age of the oldest that is live, in counts of the record's clock, and of how many bytes
  /// were allocated in all heaps since.
  uint64_t oldest = 0;
  uint64_t oldestBytes = 0;
  /// By how many bytes a memory grew, and by how many elements a table did.
  uint64_t grown = 0;
  uint64_t tablesGrown = 0;
  /// Live bytes at points of the run, which are equally far from each other in events.
  std::vector<uint64_t> course = {};

  /// Live bytes grew from most points to the next, and are most at the end.
  bool growsSteadily() const;
};

/// All heaps at a moment.
struct HeapMoment {
  /// A count of the record's clock.
  uint64_t time = 0;
  HeapAmount live;
  /// The size of all memories whose size is known.
  uint64_t memory = 0;
  /// The elements of all tables whose size is known; of the start, of all that are ever known.
  uint64_t tables = 0;
};

/// By the binary logarithm: number 0 is that of 0, number n of those below 2^n that no smaller one
/// has.
struct HeapDistribution {
  std::array<HeapAmount, 65> classes{};
  void add(uint64_t value, const HeapAmount &amount) {
    classes[size_t(std::bit_width(value))] += amount;
  }
};

struct HeapTotals {
  uint64_t events = 0;
  HeapMoment start, peak, end;
  HeapAmount allocated;
  /// Reallocated is both, allocated and freed.
  HeapAmount freed;
  /// Freed by the very next event of the stream that allocated it. Not of sampled heaps.
  HeapAmount temporary;
  uint64_t allocations = 0, frees = 0, reallocations = 0, growths = 0, tableGrowths = 0;
  /// Allocations, and reallocations, of something that gave no address.
  uint64_t failed = 0;
  /// Frees of addresses at which nothing was live: freed already, not long before; from before the
  /// record began, if it began late; and others. Not of sampled heaps.
  uint64_t freedAgain = 0, freedFromBefore = 0, neverAllocated = 0;
  /// Addresses that were given out while something was live there, and no free followed.
  uint64_t givenOutTwice = 0;
  /// Objects of more bytes than can be added up, or more of them than can be held, and events of
  /// further memories and tables; left out.
  uint64_t tooLarge = 0;
  /// By size, and by how many bytes were allocated until they were freed.
  HeapDistribution sizes, lifetimes;
};

class HeapAnalysis {
public:
  struct Options {
    /// HeapPath::atTime is before the first event after this time, unless noteMoment() is called.
    uint64_t at = UINT64_MAX;
    /// What is freed may have been allocated before the record began.
    bool beganLate = false;
  };
  HeapAnalysis() = default;
  explicit HeapAnalysis(const Options &options) : options_(options) {}

  /// Events of one stream, which are sampled so many bytes apart in the mean (0: all are there). In
  /// the order of time over all calls.
  void add(uint32_t stream, uint64_t interval, llvm::ArrayRef<HeapEvent> events);
  /// HeapPath::atTime is now. Once, at most.
  void noteMoment();
  /// There are no more events. `time`: the end of the record. `sameStacks`: of each stack the first
  /// one with the same frames, as each thread has its own; empty: all have different ones.
  void finish(uint64_t time, llvm::ArrayRef<uint32_t> sameStacks = {});

  /// Complete after finish(), as are the others; each stack once, in the order of their first
  /// events.
  llvm::ArrayRef<HeapPath> paths() const { return paths_; }
  const HeapTotals &totals() const { return totals_; }
  /// Live now, and the size of the memories.
  const HeapMoment &now() const { return now_; }
  bool isSampled() const { return isSampled_; }

private:
  /// What a stack and an interval make together.
  struct Site {
    HeapAmount allocated, live, atPeak;
    /// atPeak is that of peak number `peak`; of later ones it is `live`.
    uint64_t peak = 0;
    uint64_t grown = 0, tablesGrown = 0;
    uint64_t interval = 0;
    uint32_t stack = 0;
  };
  struct Memory {
    LiveObjects objects;
    FreedAddresses freed;
    /// Of addresses that were given out again before their free came: how many are to come, and to
    /// which stream the address was given last.
    std::unordered_map<uint64_t, std::pair<uint32_t, uint32_t>> owed;
    /// Frees at `earlyTime` of addresses where nothing was live: by which stream, and as what they
    /// were counted. Another stream may have allocated there at the same time.
    std::unordered_map<uint64_t, std::pair<uint32_t, uint64_t HeapTotals::*>> early;
    uint64_t earlyTime = 0;
    uint64_t size = 0;
    bool isKnown = false;
  };
  struct Stream {
    /// In bytes, and its number in intervals_.
    uint64_t interval = 0;
    uint32_t intervalNumber = UINT32_MAX;
    /// What the last event allocated, if that is `isFresh`: of which memory, and what tells it from
    /// another object at its address.
    bool isFresh = false;
    uint32_t memory = 0;
    uint64_t address = 0;
    uint64_t time = 0;
    uint64_t born = 0;
  };

  /// What an event a little later needs: the first of `events` is the one whose turn it is.
  void prefetch(llvm::ArrayRef<HeapEvent> events) const;
  Stream &streamOf(uint32_t stream, uint64_t interval);
  /// Null if there are maxMemories already.
  Memory *memoryOf(uint32_t number);
  uint32_t siteOf(const Stream &stream, uint32_t stack);
  /// Before the live amount of a site changes.
  void touch(Site &site) {
    if (site.peak != peak_) {
      site.atPeak = site.live;
      site.peak = peak_;
    }
  }
  /// Of a memory: growTable() has those of tables.
  void change(uint32_t stream, Stream &state, Memory &memory, const HeapEvent &event);
  void allocate(uint32_t stream, Stream &state, Memory &memory, const HeapEvent &event,
                uint64_t address);
  /// A stream gives an address back. `fresh`: what its last event allocated there, or null.
  void release(uint32_t stream, Memory &memory, const HeapEvent &event, uint64_t address,
               const Stream *fresh = nullptr);
  /// This is the free of something whose address another stream has been given meanwhile.
  bool isLate(uint32_t stream, Memory &memory, uint64_t address);
  void take(const LiveObject &object, bool isTemporary);
  /// A stream frees an address where nothing is live.
  void missing(uint32_t stream, Memory &memory, uint64_t time, uint64_t address);
  /// What a stream has just allocated was freed by another one at the same time.
  bool isFreedEarly(uint32_t stream, Memory &memory, uint64_t time, uint64_t address);
  void grow(Memory &memory, Stream &state, const HeapEvent &event);
  void growTable(Stream &state, const HeapEvent &event);
  void notePeak(uint64_t time);
  void notePoint();

  Options options_;
  std::vector<Site> sites_;
  /// Numbers, by bytes. Most records have one.
  std::unordered_map<uint64_t, uint32_t> intervals_;
  /// Plus 1: by stack those of the first interval, and by an interval's number and stack the
  /// others.
  std::vector<uint32_t> siteOfStack_;
  std::unordered_map<uint64_t, uint32_t> otherSites_;
  std::vector<Stream> streams_;
  std::unordered_map<uint32_t, std::unique_ptr<Memory>> memories_;
  uint32_t lastMemoryNumber_ = 0;
  Memory *lastMemory_ = nullptr;
  /// Elements of tables, by the table's number.
  std::unordered_map<uint32_t, uint64_t> tables_;
  HeapMoment now_;
  uint64_t peak_ = 0;
  /// All bytes that were allocated until now.
  uint64_t bytesSoFar_ = 0;
  bool hasTime_ = false;
  bool isSampled_ = false;
  /// Of each site at each point its live bytes; sites that are missing had none.
  std::vector<std::vector<uint64_t>> points_;
  uint64_t pointDistance_ = 1, nextPoint_ = 1;
  /// Of each site.
  std::vector<HeapAmount> atTime_;
  std::vector<HeapPath> paths_;
  HeapTotals totals_;
};

} // namespace warpo

#endif
