//===- RecordFolder.h - Sums up a record for its profile ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_RECORDFOLDER_H
#define WARPO_LIB_TOOLING_RECORDFOLDER_H

#include "HeapFolder.h"
#include "warpo/Profile/Profile.h"
#include "warpo/Slice/FunctionTotals.h"
#include "warpo/Slice/PhaseRoots.h"
#include "warpo/Slice/TaskRoots.h"
#include "warpo/Slice/ThreadRoots.h"
#include "warpo/Slice/WindowRoots.h"
#include "warpo/Slice/WithoutSuspensions.h"
#include "warpo/Tooling/ProfileInput.h"

namespace warpo {

/// Sums up a record's calls and its samples, separately, and forwards events to `watcher`.
class RecordFolder : public EventSink {
public:
  /// All referenced objects must outlive this. `phases` and `watcher` may be null.
  RecordFolder(RecordInput &input, const ReadingOptions &options, const ProfileSource &source,
               const HostPhases *phases, EventSink *watcher, bool collectsCalls);

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override;

  /// Chooses between calls, `samples` samples, and heaps.
  llvm::Error choose(uint64_t samples);
  /// Reports on stderr what is missing from the profile, or merged into pseudo functions.
  void reportLeftOut() const;

  /// The profile of the chosen part. `measures` are those of the record.
  Profile profile(std::vector<Measure> measures) const;
  /// From the begin of the first to the end of the last call or sample; nothing if the record's
  /// time is unknown.
  std::optional<TimeWindow> window() const;
  /// Whether the profile shows heaps, without times and calls.
  bool showsHeap() const { return showsHeap_; }
  /// By context of that profile, the number of calls made directly.
  std::vector<uint64_t> callees(const Profile &profile) const;
  /// Only with phases.
  const PhaseCover &cover() const {
    return showsSamples_ ? sampleRoots_->cover() : callRoots_->cover();
  }

  /// All calls by function, if collected.
  const FunctionTotals &totals() const { return *totals_; }

private:
  /// The record must have a wall clock time.
  UtcWindows windows(uint64_t length) const;
  /// Of entries beside calls, those of one kind; at least one.
  llvm::Error add(StreamIndex stream, llvm::ArrayRef<StackSample> samples);
  llvm::Error add(StreamIndex stream, llvm::ArrayRef<HeapEvent> events);
  /// Null if not used.
  EventSink *treeSink();
  EventSink *totalsSink();
  /// The sink for the profile of calls.
  EventSink &profileSink();
  std::optional<SamplePeriod> samplePeriod() const;
  Profile heapProfile() const;
  bool isFlat() const { return !tree_; }
  /// The range of times of calls or of samples, in counts.
  struct Span {
    uint64_t begin = UINT64_MAX;
    uint64_t end = 0;

    void add(uint64_t from, uint64_t to) {
      begin = std::min(begin, from);
      end = std::max(end, to);
    }
  };

  RecordInput &input_;
  const ProfileSource &source_;
  /// One of these two makes the profile of calls.
  std::optional<CallTreeBuilder> tree_;
  std::optional<FunctionTotals> totals_;
  SampleTree samples_;
  /// Before these two, if suspensions do not count; the column with their sum.
  std::optional<WithoutSuspensions> treeTime_, totalsTime_;
  std::optional<ColumnIndex> suspended_;
  std::optional<PhaseRoots> callRoots_;
  /// Before these, if each window of time has a profile.
  std::optional<WindowRoots> windowRoots_;
  /// Between phases and windows, if threads have frames.
  std::optional<ThreadFrames> threads_;
  std::optional<ThreadRoots> threadRoots_;
  /// Before all of these, if tasks are below the calls that started them.
  std::optional<TaskRoots> taskRoots_;
  /// The tree joined by taskRoots_ at the end of the record.
  std::optional<CallTree> joined_;
  std::optional<SamplePhaseRoots> sampleRoots_;
  /// Set if heaps may be shown.
  std::optional<HeapFolder> heap_;
  bool showsHeap_ = false;
  EventSink *watcher_;
  /// By stream, whether it has samples.
  std::vector<bool> isSampled_;
  /// False if there are only lost ranges.
  bool hasCalls_ = false;
  Span calledIn_, sampledIn_;
  bool showsSamples_ = false;
};

} // namespace warpo

#endif
