//===- EventClock.h - Events on another clock than that of time -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_EVENTCLOCK_H
#define WARPO_SLICE_EVENTCLOCK_H

#include "warpo/Slice/EventColumns.h"
#include <vector>

namespace warpo {

/// Hands on events whose times are something that is the same on each run: what the stream had
/// burnt, or how many of its calls had begun, each of which takes one. Samples are left out.
class EventClock : public ForwardingSink {
public:
  /// By a column, or, without one, by calls.
  EventClock(std::optional<ColumnIndex> column, EventSink &next)
      : ForwardingSink(next), column_(column) {}

  llvm::Error events(const EventBatch &batch) override;
  /// Nothing beside the calls has a time on their clock: samples have become calls before.
  llvm::Error beside(const SideBatch &) override { return llvm::Error::success(); }

private:
  uint64_t advance(uint64_t &now, const Event &event, llvm::ArrayRef<uint64_t> counts,
                   size_t index) const;
  LostRange moved(uint64_t &now, LostRange range) const;

  std::optional<ColumnIndex> column_;
  /// Of each stream, what its column is known to stand at, or its calls.
  std::vector<uint64_t> now_;
  EventColumns made_;
};

} // namespace warpo

#endif
