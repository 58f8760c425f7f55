//===- SampleCalls.h - Samples as calls over time -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_SAMPLECALLS_H
#define WARPO_SLICE_SAMPLECALLS_H

#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/PhaseFrames.h"
#include "warpo/Slice/StackLimit.h"

namespace warpo {

/// Replaces samples by calls: those of a sample's stack are open from the previous sample on. Calls
/// common to two consecutive samples continue. For charts, not for counting: the number of calls of
/// a function is unknown.
///
/// Events have one column: an amount from the stream's samples, or their number.
class SampleCalls : public ForwardingSink {
public:
  /// Events get this column of the samples or, without one, the number of samples as column 0.
  /// `phases`, if not null, receives the events; the phase of each sample is passed to it, as calls
  /// do not continue from one phase to the next. All referenced objects must outlive this.
  SampleCalls(const FunctionTable &functions, std::optional<ColumnIndex> column,
              PhaseFrames *phases, EventSink &next);

  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override;

  /// Deeper stacks are cut: charts do not show more.
  static constexpr uint32_t maxFrames = 1001;

private:
  struct Stream {
    /// The open calls, outermost first.
    std::vector<FunctionIndex> open;
    /// Time of the last sample; nothing before the first.
    std::optional<uint64_t> time;
    Counts counts = {};
    std::optional<uint32_t> phase;
  };

  llvm::Error changePhase(StreamIndex stream, uint64_t time);
  void take(Stream &stream, const StackSample &sample);
  void openPath(Stream &stream, uint32_t stack);
  void closeDownTo(Stream &stream, size_t depth);
  void append(const Stream &stream, FunctionIndex function, EventKind kind);
  llvm::Error passOn(StreamIndex stream);

  const FunctionTable &functions_;
  std::optional<ColumnIndex> column_;
  PhaseFrames *phases_;
  StackLimit limit_{maxFrames};
  std::vector<Stream> streams_;
  /// The calls of a sample, outermost first.
  std::vector<FunctionIndex> path_;
  EventColumns made_;
};

} // namespace warpo

#endif
