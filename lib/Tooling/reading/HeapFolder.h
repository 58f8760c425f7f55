//===- HeapFolder.h - Analyses the heaps of a record ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_HEAPFOLDER_H
#define WARPO_LIB_TOOLING_HEAPFOLDER_H

#include "warpo/Heap/RecordedHeap.h"
#include "warpo/Profile/HeapProfile.h"
#include "warpo/Tooling/ReadingTool.h"
#include <set>

namespace warpo {

/// Passes the heap events of a record, within --from, to a HeapAnalysis.
class HeapFolder {
public:
  /// `at` is the value of --at, checked by checkAt(). `input` and `options` must outlive this.
  HeapFolder(RecordInput &input, const ReadingOptions &options, llvm::StringRef at);

  /// Call before the record is read if no time is given by --at. In a file with one stream, events
  /// then need not wait for those of other streams.
  llvm::Error lookAhead();
  /// Notes the time of an entry that is not a heap event.
  void noteTime(uint64_t time) { firstTime_ = std::min(firstTime_, time); }
  llvm::Error add(StreamIndex stream, llvm::ArrayRef<HeapEvent> events);
  /// Call at the end of the record. Fails if it lacks what --at names.
  llvm::Error finish();

  uint64_t events() const { return events_; }
  const HeapAnalysis &analysis() const { return *analysis_; }
  bool beganLate() const { return options_.from.getNumOccurrences() > 0; }
  /// The moment for HeapProfile.
  InUse inUse() const;
  /// The sampling interval in bytes; nothing if allocations are not sampled, or not all with the
  /// same interval.
  std::optional<uint64_t> interval() const;

private:
  /// An event of a stream, by its number. Ordered like events are passed to the analysis.
  struct Place {
    uint64_t time = 0;
    StreamIndex stream = 0;
    uint64_t number = 0;
    auto operator<=>(const Place &) const = default;
  };
  /// Whether --at names a phase or a section.
  bool isNamed() const;
  /// The end of the phase, or nothing if there is none; fails if there is no such section either.
  llvm::Expected<std::optional<uint64_t>> timeAt() const;
  /// The last event in the section named by --at.
  std::optional<Place> lastInSection() const;
  std::string knownMoments() const;
  void noteStacks(StreamIndex stream, llvm::ArrayRef<HeapEvent> events);
  void analyse(StreamIndex stream, llvm::ArrayRef<HeapEvent> events);

  RecordInput &input_;
  const ReadingOptions &options_;
  std::string at_;
  /// Receives events once the requested moment is known.
  std::optional<HeapAnalysis> analysis_;
  RecordedHeap order_;
  /// The last event of each stack, if --at may name a section.
  std::vector<std::optional<Place>> lastOf_;
  /// By stream: how many events there were, and how many of them have been analysed.
  std::vector<uint64_t> added_, analysed_;
  /// The moment of --at is after this event.
  std::optional<Place> moment_;
  uint64_t events_ = 0;
  /// The sampling intervals of streams with heap events.
  std::set<uint64_t> intervals_;
  uint64_t firstTime_ = UINT64_MAX;
  uint64_t lastTime_ = 0;
};

} // namespace warpo

#endif
