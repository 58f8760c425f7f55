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
  /// `suspended`, if given, is a column that the record does not have: events say in it how long
  /// their stack was suspended, which becomes a sum of its own. What the recorder took is in no
  /// column. Each stream that has the column begins with a batch of it alone, without events, which
  /// gives its first value.
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
