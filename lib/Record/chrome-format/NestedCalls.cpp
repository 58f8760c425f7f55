//===- NestedCalls.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NestedCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <tuple>

using namespace llvm;
using namespace warpo;

using Kind = TraceEvent::Kind;

// The maximum number of calls examined for an end: all calls of a deep stack would be too many.
static constexpr size_t searched = 100;

static bool isComplete(const TraceEvent &event) { return event.is() == Kind::complete; }

/// Sorts complete calls behind all others, both by time.
static bool comesBefore(const TraceEvent &a, const TraceEvent &b) {
  auto key = [](const TraceEvent &event) {
    return std::tuple(isComplete(event), event.time, isComplete(event) ? -event.endTime : 0,
                      event.offset);
  };
  return key(a) < key(b);
}

namespace {

class Nesting {
public:
  Nesting(ArrayRef<TraceEvent> events, int32_t unnamed) : unnamed_(unnamed) {
    complete_ = events.drop_until(isComplete);
    others_ = events.drop_back(complete_.size());
  }

  NestedCalls run() {
    while (!others_.empty() || !complete_.empty()) {
      bool takesOther = !others_.empty() && (complete_.empty() || otherIsFirst());
      ArrayRef<TraceEvent> &from = takesOther ? others_ : complete_;
      const TraceEvent &event = from.front();
      from = from.drop_front();
      closeUntil(event);
      take(event);
    }
    while (!limits_.empty())
      closeInnermost();
    return std::move(result_);
  }

private:
  struct Open {
    int32_t id;
    uint64_t offset;
  };
  /// An open complete call, and its index in open_.
  struct Limit {
    int64_t end;
    size_t depth;
  };

  bool otherIsFirst() const {
    const TraceEvent &other = others_.front(), &call = complete_.front();
    if (other.time != call.time)
      return other.time < call.time;
    return other.is() == Kind::end || other.offset < call.offset;
  }

  void add(int64_t time, uint64_t offset, int32_t id) {
    result_.entries.push_back({time, offset, id});
  }

  /// Ends the innermost complete call, and all calls open within it.
  void closeInnermost() {
    Limit limit = limits_.pop_back_val();
    const Open &call = open_[limit.depth];
    add(limit.end, call.offset, -call.id);
    open_.truncate(limit.depth);
  }

  /// An end at the same time as the end of a complete call belongs to a call within it.
  void closeUntil(const TraceEvent &event) {
    while (!limits_.empty()) {
      const Limit &limit = limits_.back();
      bool isInnermost = limit.depth + 1 == open_.size();
      if (limit.end > event.time ||
          (limit.end == event.time && event.is() == Kind::end && !isInnermost))
        return;
      closeInnermost();
    }
  }

  void take(const TraceEvent &event) {
    auto id = int32_t(event.name) + 1;
    if (event.is() == Kind::end)
      return takeEnd(event, id);
    add(event.time, event.offset, id);
    open_.push_back({id, event.offset});
    if (event.is() != Kind::complete)
      return;
    int64_t end = event.endTime;
    if (!limits_.empty() && end > limits_.back().end) {
      end = limits_.back().end;
      ++result_.cut;
    }
    limits_.push_back({end, open_.size() - 1});
  }

  // Unmatched ends are kept for the slicer.
  void takeEnd(const TraceEvent &event, int32_t id) {
    // Not beyond a complete call, which has its own end.
    size_t lowest = limits_.empty() ? 0 : limits_.back().depth + 1;
    bool hasCall = open_.size() > lowest;
    if (event.name == TraceEvent::noName)
      id = hasCall ? open_.back().id : unnamed_;
    add(event.time, event.offset, -id);
    size_t nearest = std::max(lowest, open_.size() - std::min(open_.size(), searched));
    for (size_t i = open_.size(); i-- > nearest;)
      if (open_[i].id == id)
        return open_.truncate(i);
  }

  int32_t unnamed_;
  ArrayRef<TraceEvent> others_;
  ArrayRef<TraceEvent> complete_;
  SmallVector<Open, 0> open_;
  SmallVector<Limit, 0> limits_;
  NestedCalls result_;
};

} // namespace

NestedCalls warpo::nestCalls(std::vector<TraceEvent> events, int32_t unnamed) {
  llvm::sort(events, comesBefore);
  return Nesting(events, unnamed).run();
}
