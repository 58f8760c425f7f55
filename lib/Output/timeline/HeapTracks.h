//===- HeapTracks.h - What a timeline shows of heaps ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_HEAPTRACKS_H
#define WARPO_OUTPUT_TIMELINE_HEAPTRACKS_H

#include "warpo/Heap/HeapCourse.h"
#include "warpo/Heap/RecordedHeap.h"
#include "warpo/Output/TimelineBackend.h"

namespace warpo {

struct HeapCounter {
  llvm::StringLiteral name;
  /// "bytes" or "elements".
  llvm::StringLiteral unit;
  /// Nanoseconds, and how much; each other than the one before.
  std::vector<std::pair<uint64_t, uint64_t>> values;
};

/// A memory or a table has grown.
struct HeapGrowth {
  uint64_t nanoseconds;
  /// In bytes, or in elements of a table, from now on.
  uint64_t size;
  /// For stackText().
  uint32_t stack;
  bool isOfTable;

  llvm::StringRef name() const { return isOfTable ? "table.grow" : "memory.grow"; }
  llvm::StringRef unit() const { return isOfTable ? "elements" : "bytes"; }
};

/// Collects the heap events of a record: counters and moments for a timeline's end.
class HeapTracks {
public:
  /// `info` outlives this.
  explicit HeapTracks(const TimelineInfo &info);

  llvm::Error add(const SideBatch &batch);
  /// There are no more events.
  llvm::Error finish();

  /// Those that have any value: of live bytes where the record is shown from its beginning on, of
  /// the size of all memories, and of the elements of all tables.
  std::vector<HeapCounter> counters() const;
  /// In the order of time.
  llvm::ArrayRef<HeapGrowth> growths() const { return growths_; }
  /// What is not shown.
  void addNotes(TimelineSummary &summary) const;

private:
  static constexpr size_t maxGrowths = 1 << 16;

  void take(StreamIndex stream, llvm::ArrayRef<HeapEvent> events);

  const TimelineInfo &info_;
  RecordedHeap order_;
  HeapAnalysis heap_;
  HeapCourse course_;
  uint64_t growthsSoFar_ = 0;
  std::vector<HeapGrowth> growths_;
};

} // namespace warpo

#endif
