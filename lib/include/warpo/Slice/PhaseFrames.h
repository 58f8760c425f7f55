//===- PhaseFrames.h - Phases of the host as calls over time --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_PHASEFRAMES_H
#define WARPO_SLICE_PHASEFRAMES_H

#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/HostPhases.h"
#include <optional>

namespace warpo {

/// Forwards events within calls of pseudo functions for the phases of the host, for charts over
/// time. (For sums, PhaseRoots does this.) The first stream of a run has all phases, from begin to
/// end; on other streams a phase is around each call by the host only, so that phases are not
/// duplicated. A call that outlasts its phase stays in it; calls that began outside of phases stay
/// unchanged.
class PhaseFrames : public ForwardingSink {
public:
  /// All referenced objects must outlive this.
  PhaseFrames(const HostPhases &phases, const RecordHeader &header, FunctionTable &functions,
              EventSink &next);

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error finish() override;

  /// The phase of the stream at this time, or RunPhases::noPhase.
  uint32_t phaseAt(StreamIndex stream, uint64_t time);
  /// From now on, calls by the host on this stream belong to this phase, whenever they begin.
  void beginIn(StreamIndex stream, uint32_t phase) { streamOf(stream).given = phase; }

private:
  struct Stream {
    const RunPhases *run = nullptr;
    /// Set by beginIn().
    std::optional<uint32_t> given;
    /// The run's spans that have not been forwarded completely; none unless the stream is the first
    /// of its run.
    llvm::ArrayRef<RunPhases::Span> ahead;
    bool isFirst = false;
    bool isKnown = false;
    /// The open phase, and the key up to which the stream has been forwarded.
    uint32_t phase = RunPhases::noPhase;
    uint64_t now = 0;
    size_t depth = 0;
    /// The last known values of the columns, and which are known.
    Counts counts = {};
    ColumnSet columns;
  };

  Stream &streamOf(StreamIndex index);
  static bool isOver(const Stream &stream, const RunPhases::Span &span);
  /// Forwards phases up to `key`, where `phase` is to be open.
  void advance(Stream &stream, uint64_t key, uint32_t phase);
  void setPhase(Stream &stream, uint64_t key, uint32_t phase);
  void enter(Stream &stream, uint64_t time);
  void leave(Stream &stream, uint64_t time);
  void take(Stream &stream, const Event &event, const Counts &counts);
  void take(Stream &stream, const LostRange &range);
  llvm::Error passOn(StreamIndex stream);

  const HostPhases &phases_;
  const RecordHeader &header_;
  std::vector<FunctionIndex> functions_;
  std::vector<Stream> streams_;
  std::vector<const RunPhases *> begunRuns_;
  EventColumns made_;
};

} // namespace warpo

#endif
