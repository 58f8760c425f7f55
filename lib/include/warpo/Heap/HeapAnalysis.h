//===- HeapAnalysis.h - Which paths hold the memory -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Processes the heap events of a record in order of time, in one pass and with memory for live
// objects only. A free is subtracted from the path that allocated.
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
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace warpo {

/// A number of objects and their bytes. For a sampled heap both are estimates, so objects are
/// counted in parts.
struct HeapAmount {
  static constexpr uint64_t partsOfObject = 1024;

  uint64_t parts = 0;
  uint64_t bytes = 0;

  /// Rounded.
  uint64_t objects() const {
    return parts / partsOfObject + (parts % partsOfObject * 2 / partsOfObject);
  }
  /// Saturates.
  void operator+=(const HeapAmount &more) {
    parts = parts + more.parts < parts ? UINT64_MAX : parts + more.parts;
    bytes = bytes + more.bytes < bytes ? UINT64_MAX : bytes + more.bytes;
  }
  /// `less` must not exceed this.
  void operator-=(const HeapAmount &less) {
    parts -= less.parts;
    bytes -= less.bytes;
  }
  bool operator==(const HeapAmount &) const = default;

  /// The amount represented by a recorded object of `size` bytes if samples are `interval` bytes
  /// apart in the mean (0: not sampled).
  static HeapAmount of(uint64_t size, uint64_t interval) {
    return interval == 0 ? HeapAmount{partsOfObject, size} : ofSampled(size, interval);
  }

private:
  static HeapAmount ofSampled(uint64_t size, uint64_t interval);
};

/// The objects allocated from one stack.
struct HeapPath {
  /// An index into RecordHeader::stacks.
  uint32_t stack = 0;
  HeapAmount allocated;
  /// Live at the end, at the peak of all live bytes, and at HeapAnalysis::Options::at.
  HeapAmount live;
  HeapAmount atPeak;
  HeapAmount atTime;
  /// The age of the oldest live object: in counts of the record's clock, and in bytes allocated
  /// since in all heaps.
  uint64_t oldest = 0;
  uint64_t oldestBytes = 0;
  /// Bytes by which memories grew, and elements by which tables grew.
  uint64_t grown = 0;
  uint64_t tablesGrown = 0;
  /// Live bytes at points of the run with equal distances in events.
  std::vector<uint64_t> course = {};

  /// Adds up two paths of the same heaps. The stack remains.
  void operator+=(const HeapPath &more);
  /// Whether live bytes grew between most points and are largest at the end.
  bool growsSteadily() const;
};

/// Frees from one stack that were wrong in the same way.
struct WrongFrees {
  /// Of objects that were freed already; else of addresses that were never allocated.
  bool isAgain = false;
  /// All stacks are indices into RecordHeader::stacks.
  uint32_t stack = 0;
  /// If `isAgain`: who had allocated and freed these objects.
  uint32_t allocatedBy = 0, freedBy = 0;
  uint64_t count = 0;
};

/// All heaps at a moment.
struct HeapMoment {
  /// A count of the record's clock.
  uint64_t time = 0;
  HeapAmount live;
  /// The total size of all memories with a known size.
  uint64_t memory = 0;
  /// The elements of all tables with a known size; for the start, of all tables that have one
  /// later.
  uint64_t tables = 0;
};

/// Classes by binary logarithm: class 0 is for 0, class n for values from 2^(n-1) to 2^n - 1.
struct HeapDistribution {
  std::array<HeapAmount, 65> classes{};
  void add(uint64_t value, const HeapAmount &amount) {
    classes[size_t(std::bit_width(value))] += amount;
  }
  HeapAmount sum() const {
    HeapAmount sum;
    for (const HeapAmount &amount : classes)
      sum += amount;
    return sum;
  }
};

struct HeapTotals {
  uint64_t events = 0;
  HeapMoment start, peak, end;
  /// Of all in `sizes` and `lifetimes`, by finish(). Reallocations count as allocated and as freed.
  HeapAmount allocated, freed;
  /// Freed by the next event of the stream that allocated it. Not for sampled heaps.
  HeapAmount temporary;
  uint64_t allocations = 0, frees = 0, reallocations = 0, growths = 0, tableGrowths = 0;
  /// Whether any call of an allocator was recorded.
  bool sawAllocators() const { return allocations != 0 || reallocations != 0 || frees != 0; }
  /// Allocations and reallocations that returned no address although a size was requested.
  uint64_t failed = 0;
  /// Frees of addresses without a live object: freed already, not long before; allocated before the
  /// record began, if it began late; and others. Not for sampled heaps.
  uint64_t freedAgain = 0, freedFromBefore = 0, neverAllocated = 0;
  /// Addresses that were allocated while an object was live there, without a later free.
  uint64_t givenOutTwice = 0;
  /// Ignored: objects that are too large to be added up or too many to be held, and events of too
  /// many memories and tables.
  uint64_t tooLarge = 0;
  /// Objects by size, and by the bytes allocated during their life.
  HeapDistribution sizes, lifetimes;
};

class HeapAnalysis {
public:
  struct Options {
    /// The moment of HeapPath::atTime: before the first event after this time, unless noteMoment()
    /// is called.
    uint64_t at = UINT64_MAX;
    /// Objects may have been allocated before the record began.
    bool beganLate = false;
  };
  HeapAnalysis() = default;
  explicit HeapAnalysis(const Options &options) : options_(options) {}

  /// Adds events of one stream, with samples `interval` bytes apart in the mean (0: complete).
  /// Events must be in order of time over all calls.
  void add(uint32_t stream, uint64_t interval, llvm::ArrayRef<HeapEvent> events);
  /// Makes this the moment of HeapPath::atTime. To be called at most once.
  void noteMoment();
  /// Call after the last event. `time` is the end of the record. `sameStacks`: by stack, the first
  /// one with equal frames, as each thread has its own stacks; empty: all differ.
  void finish(uint64_t time, llvm::ArrayRef<uint32_t> sameStacks = {});

  /// One path for each stack, in the order of their first events. Complete after finish(), like
  /// totals().
  llvm::ArrayRef<HeapPath> paths() const { return paths_; }
  const HeapTotals &totals() const { return totals_; }
  /// The state after the last event.
  const HeapMoment &now() const { return now_; }
  bool isSampled() const { return isSampled_; }
  /// Of HeapTotals::freedAgain and neverAllocated, in the order of their first events; frees from
  /// many different stacks are not all here. Complete after finish().
  llvm::ArrayRef<WrongFrees> wrongFrees() const { return wrongFrees_; }

private:
  /// A combination of stack and interval.
  struct Site {
    HeapAmount allocated, live, atPeak;
    /// The number of the peak that `atPeak` is valid for; at later peaks the amount is `live`.
    uint64_t peak = 0;
    uint64_t grown = 0, tablesGrown = 0;
    uint64_t interval = 0;
    uint32_t stack = 0;
  };
  struct EarlyFree {
    uint32_t stream, stack;
    /// Where it was counted; `wrong`: the index in wrongFrees_, or notListed.
    uint64_t HeapTotals::*total;
    uint32_t wrong;
  };
  static constexpr uint32_t notListed = UINT32_MAX;
  struct Memory {
    LiveObjects objects;
    FreedAddresses freed;
    /// Addresses that were allocated again before their free was seen: the number of missing frees,
    /// and the stream of the last allocation.
    std::unordered_map<uint64_t, std::pair<uint32_t, uint32_t>> owed;
    /// Frees at `earlyTime` of addresses without a live object. Another stream may have allocated
    /// there at the same time.
    std::unordered_map<uint64_t, EarlyFree> early;
    uint64_t earlyTime = 0;
    uint64_t size = 0;
    bool isKnown = false;
  };
  struct Stream {
    /// The interval in bytes, and its number in intervals_.
    uint64_t interval = 0;
    uint32_t intervalNumber = UINT32_MAX;
    /// If `isFresh`, the object allocated by the last event: its memory and address, and values
    /// that distinguish it from another object at that address.
    bool isFresh = false;
    uint32_t memory = 0;
    uint64_t address = 0;
    uint64_t time = 0;
    uint64_t born = 0;
  };

  /// Prefetches data for an event a little later; the first of `events` is the current one.
  void prefetch(llvm::ArrayRef<HeapEvent> events) const;
  Stream &streamOf(uint32_t stream, uint64_t interval);
  /// Null if there are maxMemories already.
  Memory *memoryOf(uint32_t number);
  uint32_t siteOf(const Stream &stream, uint32_t stack);
  /// To be called before the live amount of a site changes.
  void touch(Site &site) {
    if (site.peak != peak_) {
      site.atPeak = site.live;
      site.peak = peak_;
    }
  }
  /// Processes an event of a memory; growTable() those of tables.
  void change(uint32_t stream, Stream &state, Memory &memory, const HeapEvent &event);
  void allocate(uint32_t stream, Stream &state, Memory &memory, const HeapEvent &event,
                uint64_t address);
  /// A stream frees an address. `fresh`: set if its last event allocated there, otherwise null.
  void release(uint32_t stream, Memory &memory, const HeapEvent &event, uint64_t address,
               const Stream *fresh = nullptr);
  /// Whether this is the free of an object at whose address another stream has allocated meanwhile.
  bool isLate(uint32_t stream, Memory &memory, uint64_t address);
  void take(const LiveObject &object, bool isTemporary);
  /// A stream frees an address without a live object.
  void missing(uint32_t stream, Memory &memory, const HeapEvent &event, uint64_t address);
  /// The index in wrongFrees_ of a free with this stack; `before`: the object if it was freed
  /// before, otherwise null.
  uint32_t listWrong(uint32_t stack, const FreedObject *before);
  /// If another stream freed at `earlyTime`, which is now, what this stream has just allocated:
  /// from which stack.
  std::optional<uint32_t> freedEarlyBy(uint32_t stream, Memory &memory, uint64_t address);
  void mergeWrongFrees(llvm::ArrayRef<uint32_t> sameStacks);
  void grow(Memory &memory, Stream &state, const HeapEvent &event);
  void growTable(Stream &state, const HeapEvent &event);
  void notePeak(uint64_t time);
  void notePoint();

  Options options_;
  std::vector<Site> sites_;
  /// The numbers of intervals, by bytes. Most records have one.
  std::unordered_map<uint64_t, uint32_t> intervals_;
  /// Site numbers plus 1: by stack for the first interval, by interval number and stack for others.
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
  /// All bytes allocated so far.
  uint64_t bytesSoFar_ = 0;
  bool hasTime_ = false;
  bool isSampled_ = false;
  /// By point and site, the live bytes; missing sites had none.
  std::vector<std::vector<uint64_t>> points_;
  uint64_t pointDistance_ = 1, nextPoint_ = 1;
  /// By site.
  std::vector<HeapAmount> atTime_;
  std::vector<HeapPath> paths_;
  std::vector<WrongFrees> wrongFrees_;
  /// Indices in wrongFrees_, by kind and stacks.
  std::map<std::array<uint32_t, 4>, uint32_t> wrongFreesBy_;
  HeapTotals totals_;
};

} // namespace warpo

#endif
