//===- WithoutSuspensions.cpp ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/WithoutSuspensions.h"

using namespace llvm;
using namespace warpo;

void WithoutSuspensions::Stream::advance(uint64_t time, const Counts &counts) {
  if (isWaiting()) {
    waited.time += time - last.time;
    // What a column stood at before it was first known is unknown.
    for (ColumnIndex column = 0; column < maxColumns; ++column)
      if (last.counts[column] > 0)
        waited.counts[column] += counts[column] - last.counts[column];
  }
  last = {time, counts};
}

WithoutSuspensions::Moment WithoutSuspensions::Stream::moved(uint64_t time,
                                                             const Counts &counts) const {
  Moment result{time - waited.time, counts};
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    result.counts[column] -= std::min(waited.counts[column], counts[column]);
  return result;
}

bool WithoutSuspensions::take(Stream &stream, const Event &event) {
  bool isSuspension = functions_.isSuspension(event.function);
  if (stream.suspensions.empty() && !isSuspension)
    return true;
  if (!isEnd(event.kind)) {
    ++stream.depth;
    if (isSuspension)
      stream.suspensions.push_back(stream.depth);
    return !isSuspension;
  }
  if (isSuspension)
    stream.suspensions.pop_back();
  --stream.depth;
  return !isSuspension;
}

// What was lost while it waited is lost all the same.
LostRange WithoutSuspensions::moved(Stream &stream, const LostRange &range) {
  LostRange result = range;
  Counts from = maxOf(range.countsFrom, stream.last.counts);
  Counts to = maxOf(range.countsTo, from);
  stream.advance(std::max(range.from, stream.last.time), from);
  result.from = range.from - stream.waited.time;
  result.to = range.to - stream.waited.time;
  result.countsFrom = stream.moved(0, range.countsFrom).counts;
  result.countsTo = stream.moved(0, range.countsTo).counts;
  stream.last = {range.to, to};
  return result;
}

Error WithoutSuspensions::events(const EventBatch &batch) {
  if (!functions_.hasSuspensions())
    return next_.events(batch);
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  made_.start(ColumnSet(batch.counts));
  Counts counts = batch.counts.at(0);
  counts = maxOf(counts, stream.last.counts);
  ArrayRef<LostRange> lost = batch.lost;
  auto takeLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position))
      made_.append(moved(stream, range));
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    takeLosses(i);
    Event event = batch.events[i];
    batch.counts.update(counts, i);
    stream.advance(event.time, counts);
    if (!take(stream, event))
      continue;
    Moment moment = stream.moved(event.time, counts);
    event.time = moment.time;
    made_.append(event, moment.counts);
  }
  takeLosses(batch.events.size());
  EventBatch kept = made_.batch(batch.stream);
  return kept.empty() ? Error::success() : next_.events(kept);
}
