//===- RecordedHeap.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/RecordedHeap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

// The minimum number of events held in memory, over all streams.
static constexpr size_t heldEvents = 1 << 16;

namespace {

/// The waiting events of a stream, read piece by piece.
struct Waiting {
  StreamIndex stream;
  uint64_t size;
  uint64_t next = 0;
  std::vector<HeapEvent> piece = {};
  ArrayRef<HeapEvent> events = {};

  bool hasMore() const { return !events.empty() || next < size; }
  std::pair<uint64_t, StreamIndex> key() const { return {events.front().time, stream}; }
};

} // namespace

Error RecordedHeap::add(StreamIndex stream, ArrayRef<HeapEvent> events) {
  if (events.empty())
    return Error::success();
  if (!waits_) {
    sink_(stream, events);
    return Error::success();
  }
  if (waiting_.size() <= stream)
    waiting_.resize(stream + 1);
  waiting_[stream] += events.size();
  return spool_.append(stream, events);
}

Error RecordedHeap::finish() {
  std::vector<Waiting> streams;
  for (const auto &[stream, size] : enumerate(waiting_))
    if (size > 0)
      streams.push_back({StreamIndex(stream), size});
  size_t held = std::max<size_t>(16, heldEvents / std::max<size_t>(1, streams.size()));
  auto fill = [&](Waiting &waiting) -> Error {
    waiting.piece.resize(std::min<uint64_t>(held, waiting.size - waiting.next));
    auto count = spool_.readAt(waiting.stream, waiting.next, waiting.piece);
    if (!count)
      return count.takeError();
    waiting.next += *count;
    waiting.events = ArrayRef(waiting.piece).take_front(*count);
    return Error::success();
  };
  for (Waiting &waiting : streams)
    if (Error error = fill(waiting))
      return error;
  auto isLater = [&](size_t a, size_t b) { return streams[a].key() > streams[b].key(); };
  std::vector<size_t> order;
  for (size_t i = 0; i < streams.size(); ++i)
    order.push_back(i);
  std::make_heap(order.begin(), order.end(), isLater);
  while (!order.empty()) {
    std::pop_heap(order.begin(), order.end(), isLater);
    Waiting &first = streams[order.back()];
    order.pop_back();
    // Passes on all events before the next stream's first one at once.
    size_t count = 1;
    while (count < first.events.size() &&
           (order.empty() ||
            std::pair(first.events[count].time, first.stream) < streams[order.front()].key()))
      ++count;
    sink_(first.stream, first.events.take_front(count));
    first.events = first.events.drop_front(count);
    if (first.events.empty() && first.next < first.size)
      if (Error error = fill(first))
        return error;
    if (!first.hasMore())
      continue;
    order.push_back(size_t(&first - streams.data()));
    std::push_heap(order.begin(), order.end(), isLater);
  }
  return Error::success();
}
