//===- HeapTracks.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapTracks.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

HeapTracks::HeapTracks(const TimelineInfo &info)
    : info_(info),
      order_([this](StreamIndex stream, ArrayRef<HeapEvent> events) { take(stream, events); }) {}

Error HeapTracks::add(const SideBatch &batch) {
  return order_.add(batch.stream, batch.entries.heap);
}

Error HeapTracks::finish() { return order_.finish(); }

void HeapTracks::take(StreamIndex stream, ArrayRef<HeapEvent> events) {
  uint64_t interval = info_.header.streams[stream].heapInterval;
  for (const HeapEvent &event : events) {
    heap_.add(stream, interval, event);
    course_.add(heap_.now());
    if (heap_.totals().growths == growthsSoFar_)
      continue;
    growthsSoFar_ = heap_.totals().growths;
    if (growths_.size() < maxGrowths)
      growths_.push_back({info_.scale.toNanoseconds(event.time), event.size, event.stack});
  }
}

std::vector<HeapCounter> HeapTracks::counters() const {
  HeapCounter live{"live bytes", {}};
  HeapCounter memory{"memory size", {}};
  auto add = [](HeapCounter &counter, uint64_t nanoseconds, uint64_t bytes) {
    if (counter.values.empty() || counter.values.back().second != bytes)
      counter.values.emplace_back(nanoseconds, bytes);
  };
  for (const HeapMoment &moment : course_.moments()) {
    uint64_t nanoseconds = info_.scale.toNanoseconds(moment.time);
    if (!info_.isPiece && heap_.totals().allocations + heap_.totals().reallocations > 0)
      add(live, nanoseconds, moment.live.bytes);
    if (heap_.now().memory > 0)
      add(memory, nanoseconds, moment.memory);
  }
  std::vector<HeapCounter> counters;
  for (HeapCounter &counter : {std::ref(live), std::ref(memory)})
    if (!counter.values.empty())
      counters.push_back(std::move(counter));
  return counters;
}

void HeapTracks::addNotes(TimelineSummary &summary) const {
  if (growthsSoFar_ > growths_.size())
    summary.notes.push_back(countOf(growthsSoFar_ - growths_.size(), "further growth of a memory",
                                    "further growths of memories") +
                            " not shown");
  if (info_.isPiece && heap_.totals().allocations > 0)
    summary.notes.push_back("live bytes are not known of a part of the record, and not shown");
}
