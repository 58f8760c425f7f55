//===- PhaseRoots.h - Phases of the host as callers -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_PHASEROOTS_H
#define WARPO_SLICE_PHASEROOTS_H

#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/HostPhases.h"
#include "warpo/Slice/SampleTree.h"

namespace warpo {

/// How much of each phase was spent in calls or samples. Simultaneous ones on several streams count
/// once.
class PhaseCover {
public:
  explicit PhaseCover(const HostPhases &phases)
      : phases_(phases), amounts_(phases.phases().size()) {}

  /// Adds a call or sample that began in `phase`. Times are counts; `counts` are the amounts of its
  /// columns.
  void add(const RunPhases &run, uint32_t phase, uint64_t from, uint64_t to, const Counts &counts);

  /// The remainder of the phase, in counts; nothing if the phase's amount is unknown.
  std::optional<uint64_t> own(uint32_t phase, MeasureIndex measure) const;

private:
  /// A union of spans of time. Takes 16 bytes for each span that does not touch another.
  class Union {
  public:
    void add(uint64_t from, uint64_t to);
    uint64_t length() const;

  private:
    using Interval = std::pair<uint64_t, uint64_t>;
    static std::vector<Interval> joined(std::vector<Interval> intervals);
    std::vector<Interval> intervals_;
    size_t joinAt_ = 4096;
  };

  const HostPhases &phases_;
  std::map<std::pair<const RunPhases *, uint32_t>, Union> time_;
  /// By phase and measure, except time.
  std::vector<std::array<uint64_t, maxMeasures>> amounts_;
};

/// Forwards events with each outermost call, and each lost range outside of calls, within a call of
/// a pseudo function with the name of the phase in which it began. Outside of phases, events stay
/// unchanged.
class PhaseRoots : public ForwardingSink {
public:
  /// All referenced objects must outlive this.
  PhaseRoots(const HostPhases &phases, const RecordHeader &header, FunctionTable &functions,
             EventSink &next);

  llvm::Error events(const EventBatch &batch) override;

  const PhaseCover &cover() const { return cover_; }

private:
  struct Stream {
    const RunPhases *run = nullptr;
    size_t depth = 0;
    /// Phase, begin and columns of the open outermost call.
    uint32_t phase = RunPhases::noPhase;
    uint64_t start = 0;
    Counts startCounts = {};
  };
  Stream &streamOf(StreamIndex index);
  void enter(Stream &stream, uint64_t time, const Counts &counts);
  void leave(Stream &stream, uint64_t time, EventKind kind, const Counts &counts);
  void take(Stream &stream, const Event &event, const Counts &counts);
  void take(Stream &stream, const LostRange &range);

  const HostPhases &phases_;
  const RecordHeader &header_;
  std::vector<FunctionIndex> functions_;
  PhaseCover cover_;
  std::vector<Stream> streams_;
  EventColumns made_;
};

/// Adds samples to a tree, below the phases in which they were taken.
class SamplePhaseRoots {
public:
  SamplePhaseRoots(const HostPhases &phases, const RecordHeader &header, FunctionTable &functions,
                   SampleTree &tree);

  /// Phases are below a frame of `outer`, if given.
  void add(StreamIndex stream, llvm::ArrayRef<StackSample> samples,
           FunctionIndex outer = noFunction);

  const PhaseCover &cover() const { return cover_; }

private:
  const HostPhases &phases_;
  const RecordHeader &header_;
  std::vector<FunctionIndex> functions_;
  SampleTree &tree_;
  PhaseCover cover_;
};

} // namespace warpo

#endif
