//===- EventClock.cpp -----------------------------------------------------===//

#include "warpo/Slice/EventClock.h"

using namespace llvm;
using namespace warpo;

/// When the event happens. A call is counted right behind its begin.
uint64_t EventClock::advance(uint64_t &now, const EventBatch &batch, size_t event) const {
  if (kind_ == Kind::calls)
    return batch.events[event].kind == EventKind::begin ? now++ : now;
  if (!batch.fuel.empty())
    now = batch.fuel[event];
  return now;
}

/// A loss is one call, as in a call tree.
LostRange EventClock::moved(uint64_t &now, LostRange range) const {
  range.from = kind_ == Kind::calls ? now++ : std::max(now, range.fuelFrom);
  range.to = kind_ == Kind::calls ? now : std::max(range.from, range.fuelTo);
  now = range.to;
  return range;
}

Error EventClock::events(const EventBatch &batch) {
  if (batch.stream >= now_.size())
    now_.resize(batch.stream + 1);
  uint64_t &now = now_[batch.stream];
  events_.clear();
  lost_.clear();
  ArrayRef<LostRange> lost = batch.lost;
  auto moveLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position))
      lost_.push_back(moved(now, range));
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    moveLosses(i);
    const Event &event = batch.events[i];
    events_.push_back({advance(now, batch, i), event.function, event.kind});
  }
  moveLosses(batch.events.size());
  return next_.events({batch.stream, events_, lost_});
}
