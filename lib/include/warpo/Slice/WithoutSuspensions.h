//===- WithoutSuspensions.h - The time in which stacks ran ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_WITHOUTSUSPENSIONS_H
#define WARPO_SLICE_WITHOUTSUSPENSIONS_H

#include "warpo/Slice/EventColumns.h"

namespace warpo {

/// Hands on events as if no stack had ever waited: without the calls that stand for suspensions,
/// and with times, and what else is counted, from which what passed meanwhile is left out. So a
/// sink finds it in nobody's self time, in no duration, and in no sum. What is recorded within a
/// suspension stays, as a call of whoever was suspended. For sums alone: times are no moments of
/// the record any more.
class WithoutSuspensions : public ForwardingSink {
public:
  WithoutSuspensions(const FunctionTable &functions, EventSink &next)
      : ForwardingSink(next), functions_(functions) {}

  llvm::Error events(const EventBatch &batch) override;

private:
  struct Moment {
    uint64_t time = 0;
    Counts counts = {};
  };
  struct Stream {
    /// How deep each suspension stands that has not ended, counted from the first one.
    std::vector<uint64_t> suspensions;
    uint64_t depth = 0;
    Moment last;
    /// What passed while it waited.
    Moment waited;
    bool isWaiting() const { return !suspensions.empty() && suspensions.back() == depth; }
    /// Goes on to a moment of the record.
    void advance(uint64_t time, const Counts &counts);
    Moment moved(uint64_t time, const Counts &counts) const;
  };
  /// Whether the event stays.
  bool take(Stream &stream, const Event &event);
  LostRange moved(Stream &stream, const LostRange &range);

  const FunctionTable &functions_;
  std::vector<Stream> streams_;
  EventColumns made_;
};

} // namespace warpo

#endif
