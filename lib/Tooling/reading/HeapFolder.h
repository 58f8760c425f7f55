//===- HeapFolder.h - Follows the heaps of a record -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_HEAPFOLDER_H
#define WARPO_LIB_TOOLING_HEAPFOLDER_H

#include "warpo/Heap/RecordedHeap.h"
#include "warpo/Profile/HeapProfile.h"
#include "warpo/Tooling/ReadingTool.h"
#include <set>

namespace warpo {

/// Makes a HeapAnalysis of what a record says of its heaps, as far as --from lets it be seen.
class HeapFolder {
public:
  /// `at`: what --at says, a value that checkAt() takes. `input` and `options` outlive this.
  HeapFolder(RecordInput &input, const ReadingOptions &options, llvm::StringRef at);

  /// Before the record is read: events of a record that is a file with one stream need not wait for
  /// others. What is shown is not at a time.
  llvm::Error lookAhead();
  /// An entry that is no heap event was at this time.
  void noteTime(uint64_t time) { firstTime_ = std::min(firstTime_, time); }
  llvm::Error add(StreamIndex stream, llvm::ArrayRef<HeapEvent> events);
  /// All of the record has been read; it is an error if --at names what it does not have.
  llvm::Error finish();

  uint64_t events() const { return events_; }
  const HeapAnalysis &analysis() const { return *analysis_; }
  bool beganLate() const { return options_.from.getNumOccurrences() > 0; }
  /// For the profile.
  InUse inUse() const;
  /// How many bytes lie between sampled allocations; nothing if they are not sampled, or not all
  /// so.
  std::optional<uint64_t> interval() const;

private:
  /// An event of a stream, by its number. In the order in which the analysis gets them.
  struct Place {
    uint64_t time = 0;
    StreamIndex stream = 0;
    uint64_t number = 0;
    auto operator<=>(const Place &) const = default;
  };
  /// Whether --at names a phase or a section.
  bool isNamed() const;
  /// The end of the phase, or nothing if there is none; an error if there is no section either.
  llvm::Expected<std::optional<uint64_t>> timeAt() const;
  /// The last event in the section that --at names.
  std::optional<Place> lastInSection() const;
  std::string knownMoments() const;
  void noteStacks(StreamIndex stream, llvm::ArrayRef<HeapEvent> events);
  void analyse(StreamIndex stream, llvm::ArrayRef<HeapEvent> events);

  RecordInput &input_;
  const ReadingOptions &options_;
  std::string at_;
  /// Events go there once it is known which moment is asked for.
  std::optional<HeapAnalysis> analysis_;
  RecordedHeap order_;
  /// The last event of each stack, if --at may name a section.
  std::vector<std::optional<Place>> lastOf_;
  /// By stream: how many events there were, and how many of them have been analysed.
  std::vector<uint64_t> added_, analysed_;
  /// Behind this event is the moment of --at.
  std::optional<Place> moment_;
  uint64_t events_ = 0;
  /// Of the streams that have heap events.
  std::set<uint64_t> intervals_;
  uint64_t firstTime_ = UINT64_MAX;
  uint64_t lastTime_ = 0;
};

} // namespace warpo

#endif
