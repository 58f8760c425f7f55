//===- EventClock.h - Events on another clock than that of time -----------===//

#ifndef WARPO_SLICE_EVENTCLOCK_H
#define WARPO_SLICE_EVENTCLOCK_H

#include "warpo/Slice/Event.h"
#include <vector>

namespace warpo {

/// Hands on events whose times are something that is the same on each run: what the stream had
/// burnt, or how many of its calls had begun, each of which takes one. Samples are left out.
class EventClock : public EventSink {
public:
  enum class Kind : uint8_t { fuel, calls };

  EventClock(Kind kind, EventSink &next) : kind_(kind), next_(next) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error finish() override { return next_.finish(); }
  bool done() const override { return next_.done(); }

private:
  uint64_t advance(uint64_t &now, const EventBatch &batch, size_t event) const;
  LostRange moved(uint64_t &now, LostRange range) const;

  Kind kind_;
  EventSink &next_;
  /// Of each stream, its last known fuel or its calls.
  std::vector<uint64_t> now_;
  std::vector<Event> events_;
  std::vector<LostRange> lost_;
};

} // namespace warpo

#endif
