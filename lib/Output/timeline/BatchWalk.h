//===- BatchWalk.h - Events and lost ranges in order ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_BATCHWALK_H
#define WARPO_OUTPUT_TIMELINE_BATCHWALK_H

#include "warpo/Slice/Event.h"

namespace warpo {

/// Calls `onEvents` with each run of events and `onLost` with each lost range of `batch`, in order.
template <typename OnEvents, typename OnLost>
void walkBatch(const EventBatch &batch, OnEvents onEvents, OnLost onLost) {
  size_t done = 0;
  for (const LostRange &range : batch.lost) {
    onEvents(batch.events.slice(done, range.position - done));
    onLost(range);
    done = range.position;
  }
  onEvents(batch.events.drop_front(done));
}

/// The time, in counts, of the first event or lost range of `batch`, which must not be empty.
inline uint64_t firstTime(const EventBatch &batch) {
  return !batch.lost.empty() && batch.lost.front().position == 0 ? batch.lost.front().from
                                                                 : batch.events.front().time;
}

} // namespace warpo

#endif
