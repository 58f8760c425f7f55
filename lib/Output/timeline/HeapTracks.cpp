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
    uint64_t growths = heap_.totals().growths + heap_.totals().tableGrowths;
    if (growths == growthsSoFar_)
      continue;
    growthsSoFar_ = growths;
    if (growths_.size() < maxGrowths)
      growths_.push_back({info_.scale.toNanoseconds(event.time), event.size, event.stack,
                          event.operation == HeapOperation::growTable});
  }
}

std::vector<HeapCounter> HeapTracks::counters() const {
  HeapCounter live{"live bytes", "bytes", {}};
  HeapCounter memory{"memory size", "bytes", {}};
  HeapCounter tables{"table size", "elements", {}};
  auto add = [](HeapCounter &counter, uint64_t nanoseconds, uint64_t amount) {
    if (counter.values.empty() || counter.values.back().second != amount)
      counter.values.emplace_back(nanoseconds, amount);
  };
  for (const HeapMoment &moment : course_.moments()) {
    uint64_t nanoseconds = info_.scale.toNanoseconds(moment.time);
    if (!info_.isPiece && heap_.totals().allocations + heap_.totals().reallocations > 0)
      add(live, nanoseconds, moment.live.bytes);
    if (heap_.now().memory > 0)
      add(memory, nanoseconds, moment.memory);
    if (heap_.now().tables > 0)
      add(tables, nanoseconds, moment.tables);
  }
  std::vector<HeapCounter> counters;
  for (HeapCounter &counter : {std::ref(live), std::ref(memory), std::ref(tables)})
    if (!counter.values.empty())
      counters.push_back(std::move(counter));
  return counters;
}

void HeapTracks::addNotes(TimelineSummary &summary) const {
  if (growthsSoFar_ > growths_.size())
    summary.notes.push_back(countOf(growthsSoFar_ - growths_.size(),
                                    "further growth of a memory or table",
                                    "further growths of memories and tables") +
                            " not shown");
  if (info_.isPiece && heap_.totals().allocations > 0)
    summary.notes.push_back("live bytes are not known of a part of the record, and not shown");
}
