//===- EventClock.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/EventClock.h"

using namespace llvm;
using namespace warpo;

/// The time of the event by this clock. A call is counted right after its begin.
uint64_t EventClock::advance(uint64_t &now, const Event &event, ArrayRef<uint64_t> counts,
                             size_t index) const {
  if (!column_)
    return event.kind == EventKind::begin ? now++ : now;
  if (!counts.empty())
    now = counts[index];
  return now;
}

/// A loss is one call, as in a call tree.
LostRange EventClock::moved(uint64_t &now, LostRange range) const {
  range.from = column_ ? std::max(now, range.countsFrom[*column_]) : now++;
  range.to = column_ ? std::max(range.from, range.countsTo[*column_]) : now;
  now = range.to;
  return range;
}

Error EventClock::events(const EventBatch &batch) {
  if (batch.stream >= now_.size())
    now_.resize(batch.stream + 1);
  uint64_t &now = now_[batch.stream];
  ArrayRef<uint64_t> counts = column_ ? batch.counts[*column_] : ArrayRef<uint64_t>();
  made_.clear();
  ArrayRef<LostRange> lost = batch.lost;
  auto moveLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position))
      made_.append(moved(now, range));
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    moveLosses(i);
    const Event &event = batch.events[i];
    made_.append(Event{advance(now, event, counts, i), event.function, event.kind}, noCounts);
  }
  moveLosses(batch.events.size());
  return next_.events(made_.batch(batch.stream));
}
