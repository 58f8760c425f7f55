//===- EventClock.h - Events on a clock other than time -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_EVENTCLOCK_H
#define WARPO_SLICE_EVENTCLOCK_H

#include "warpo/Slice/EventColumns.h"
#include <vector>

namespace warpo {

/// Replaces the times of events by a clock that is reproducible: a column of the stream, such as
/// the fuel used, or the number of its calls begun so far. Drops samples.
class EventClock : public ForwardingSink {
public:
  /// The clock is a column or, without one, the number of calls.
  EventClock(std::optional<ColumnIndex> column, EventSink &next)
      : ForwardingSink(next), column_(column) {}

  llvm::Error events(const EventBatch &batch) override;
  /// Side entries have no time on this clock. Samples were turned into calls before.
  llvm::Error beside(const SideBatch &) override { return llvm::Error::success(); }

private:
  uint64_t advance(uint64_t &now, const Event &event, llvm::ArrayRef<uint64_t> counts,
                   size_t index) const;
  LostRange moved(uint64_t &now, LostRange range) const;

  std::optional<ColumnIndex> column_;
  /// By stream, the last known value of its column, or the number of its calls.
  std::vector<uint64_t> now_;
  EventColumns made_;
};

} // namespace warpo

#endif
