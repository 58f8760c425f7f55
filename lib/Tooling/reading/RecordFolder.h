//===- RecordFolder.h - Folds a record into what its profile is made of ---===//
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

/// Folds a record's calls and its samples, separately, and passes events on to `watcher`.
class RecordFolder : public EventSink {
public:
  /// All that is referred to outlives this. `phases` and `watcher` may be null.
  RecordFolder(RecordInput &input, const ReadingOptions &options, const ProfileSource &source,
               const HostPhases *phases, EventSink *watcher, bool collectsCalls);

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override;

  /// Chooses between the calls, this number of samples, and the heaps.
  llvm::Error choose(uint64_t samples);
  /// Says on stderr what is not in the profile, or not under its name.
  void reportLeftOut() const;

  /// Of what was chosen. `measures`: those of the record.
  Profile profile(std::vector<Measure> measures) const;
  /// When the first of what was folded began and the last ended; nothing if the record does not
  /// say.
  std::optional<TimeWindow> window() const;
  /// Whether it is of heaps, with neither times nor calls.
  bool showsHeap() const { return showsHeap_; }
  /// How many calls each context of that profile made itself.
  std::vector<uint64_t> callees(const Profile &profile) const;
  /// With phases.
  const PhaseCover &cover() const {
    return showsSamples_ ? sampleRoots_->cover() : callRoots_->cover();
  }

  /// All calls by function, where they are collected.
  const FunctionTotals &totals() const { return *totals_; }

private:
  /// For a record that says when it was made, in time.
  UtcWindows windows(uint64_t length) const;
  /// Null if there is no such sum.
  EventSink *treeSink();
  EventSink *totalsSink();
  /// What becomes the profile of calls.
  EventSink &profileSink();
  std::optional<SamplePeriod> samplePeriod() const;
  Profile heapProfile() const;
  bool isFlat() const { return !tree_; }
  /// From and to when something of the calls, or of the samples, was: counts.
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
  /// In front of these two, where suspensions do not count; the column that they are summed up in.
  std::optional<WithoutSuspensions> treeTime_, totalsTime_;
  std::optional<ColumnIndex> suspended_;
  std::optional<PhaseRoots> callRoots_;
  /// In front of these, where each window of time has a profile.
  std::optional<WindowRoots> windowRoots_;
  /// In front of the windows, and behind the phases, where threads have frames.
  std::optional<ThreadFrames> threads_;
  std::optional<ThreadRoots> threadRoots_;
  /// In front of all of these, where tasks are below the calls that started them.
  std::optional<TaskRoots> taskRoots_;
  /// What this makes of the tree, once all is read.
  std::optional<CallTree> joined_;
  std::optional<SamplePhaseRoots> sampleRoots_;
  /// Where heaps may be shown.
  std::optional<HeapFolder> heap_;
  bool showsHeap_ = false;
  EventSink *watcher_;
  /// Of each stream, whether it has samples.
  std::vector<bool> isSampled_;
  /// Losses alone do not count.
  bool hasCalls_ = false;
  Span calledIn_, sampledIn_;
  bool showsSamples_ = false;
};

} // namespace warpo

#endif
