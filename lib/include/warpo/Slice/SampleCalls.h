//===- SampleCalls.h - Samples in the order of time, as calls -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_SAMPLECALLS_H
#define WARPO_SLICE_SAMPLECALLS_H

#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/PhaseFrames.h"
#include "warpo/Slice/StackLimit.h"

namespace warpo {

/// Hands on calls in place of samples: those of a sample's stack are open for what was spent since
/// the sample before. Calls that two samples in a row have in common go on. For a chart, not for
/// counting: the number of calls of a function is unknown.
///
/// Events have a fuel column: what the stream's samples have burnt, or how many there were.
class SampleCalls : public ForwardingSink {
public:
  /// Events have this column of the samples, or, without one, how many samples there were as column
  /// 0. `phases`, if not null, is where events come to; it is told of each sample in which phase
  /// that was taken, as calls do not go on from one phase to the next. All that is referred to
  /// outlives this.
  SampleCalls(const FunctionTable &functions, std::optional<ColumnIndex> column,
              PhaseFrames *phases, EventSink &next);

  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override;

  /// Stacks are cut here: charts show no more.
  static constexpr uint32_t maxFrames = 1001;

private:
  struct Stream {
    /// The open calls, the outermost first.
    std::vector<FunctionIndex> open;
    /// Up to where samples tell; nothing before the first.
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
  /// A sample's calls, the outermost first.
  std::vector<FunctionIndex> path_;
  EventColumns made_;
};

} // namespace warpo

#endif
