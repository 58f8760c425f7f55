//===- PhaseFrames.h - Phases of the host over time -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_PHASEFRAMES_H
#define WARPO_SLICE_PHASEFRAMES_H

#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/HostPhases.h"
#include <optional>

namespace warpo {

/// Hands on events with the phases of the host as calls of pseudo functions around them, for charts
/// over time. (PhaseRoots does it for sums.) The first stream of a run has all phases, from the
/// begin of each to its end; on the others a phase stands around each call of the host, so that
/// none is there twice. A call that outlasts its phase stays in it; what began in no phase stays as
/// it is.
class PhaseFrames : public ForwardingSink {
public:
  /// All that is referred to outlives this.
  PhaseFrames(const HostPhases &phases, const RecordHeader &header, FunctionTable &functions,
              EventSink &next);

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error finish() override;

  /// The phase that this moment of the stream lies in, or RunPhases::noPhase.
  uint32_t phaseAt(StreamIndex stream, uint64_t time);
  /// From now on, calls of the host on this stream are of this phase, whenever they begin.
  void beginIn(StreamIndex stream, uint32_t phase) { streamOf(stream).given = phase; }

private:
  struct Stream {
    const RunPhases *run = nullptr;
    /// What beginIn() said.
    std::optional<uint32_t> given;
    /// Of the run's phases those that have not been shown whole; none on a stream that is not the
    /// first of its run.
    llvm::ArrayRef<RunPhases::Span> ahead;
    bool isFirst = false;
    bool isKnown = false;
    /// The phase that is open, and up to when the stream has been shown, as a key.
    uint32_t phase = RunPhases::noPhase;
    uint64_t now = 0;
    size_t depth = 0;
    /// What the columns are known to stand at, and which are known.
    Counts counts = {};
    ColumnSet columns;
  };

  Stream &streamOf(StreamIndex index);
  static bool isOver(const Stream &stream, const RunPhases::Span &span);
  /// Shows phases up to `key`, at which `phase` is to be open.
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
