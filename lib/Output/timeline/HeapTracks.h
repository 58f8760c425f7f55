//===- HeapTracks.h - Heaps on a timeline ---------------------------------===//
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
  /// Nanoseconds and value; consecutive values differ.
  std::vector<std::pair<uint64_t, uint64_t>> values;
};

/// A growth of a memory or a table.
struct HeapGrowth {
  uint64_t nanoseconds;
  /// The size after the growth: bytes, or elements of a table.
  uint64_t size;
  /// Argument for stackText().
  uint32_t stack;
  bool isOfTable;

  llvm::StringRef name() const { return isOfTable ? "table.grow" : "memory.grow"; }
  llvm::StringRef unit() const { return isOfTable ? "elements" : "bytes"; }
};

/// Collects the heap events of a record as counters and growths, which are written at the end of a
/// timeline.
class HeapTracks {
public:
  /// `info` must outlive this.
  explicit HeapTracks(const TimelineInfo &info);

  llvm::Error add(const SideBatch &batch);
  /// Call after the last event.
  llvm::Error finish();

  /// The counters that have values: live bytes if the record is shown from its beginning on, the
  /// size of all memories, and the elements of all tables.
  std::vector<HeapCounter> counters() const;
  /// In order of time.
  llvm::ArrayRef<HeapGrowth> growths() const { return growths_; }
  /// Adds notes about events that are not shown.
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
