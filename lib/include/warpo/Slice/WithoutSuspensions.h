//===- WithoutSuspensions.h - The time in which stacks ran ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_WITHOUTSUSPENSIONS_H
#define WARPO_SLICE_WITHOUTSUSPENSIONS_H

#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/SuspendedTime.h"

namespace warpo {

/// Hands on events as if no stack had ever waited: without the calls that stand for suspensions,
/// and with times, and what else is counted, from which what passed meanwhile is left out. So a
/// sink finds it in no function's self time, in no duration, and in no sum. What is recorded within
/// a suspension stays, as a call of whoever was suspended. For sums alone: times are no moments of
/// the record any more.
class WithoutSuspensions : public ForwardingSink {
public:
  /// In the column `suspended`, if given, which the record does not have, events say how long their
  /// stack was suspended: the time becomes a sum of its own, of the calls that waited. What the
  /// recorder took is in no column. A batch
  /// without events, of this column alone, comes before the first one of each stream that has it,
  /// and says what it begins at.
  WithoutSuspensions(const FunctionTable &functions, std::optional<ColumnIndex> suspended,
                     EventSink &next)
      : ForwardingSink(next), functions_(functions), suspended_(suspended) {}

  llvm::Error events(const EventBatch &batch) override;

private:
  struct Stream {
    SuspendedTime suspension;
    bool hasBegun = false;
  };
  bool hasColumn() const { return suspended_ && functions_.hasSuspendedStacks(); }
  llvm::Error begin(Stream &stream, StreamIndex index);
  /// Appends events up to the first one of a suspension, and returns how many.
  size_t takeUpToSuspension(Stream &stream, llvm::ArrayRef<Event> events);
  Counts moved(const Stream &stream, const Counts &counts) const;
  LostRange moved(Stream &stream, const LostRange &range);

  const FunctionTable &functions_;
  std::optional<ColumnIndex> suspended_;
  std::vector<Stream> streams_;
  EventColumns made_;
};

/// What records with suspensions are summed up by besides: the clock of the record, as that of the
/// time in which stacks waited.
Measure suspendedMeasure(const Measure &clock);

} // namespace warpo

#endif
