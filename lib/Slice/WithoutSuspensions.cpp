//===- WithoutSuspensions.cpp ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/WithoutSuspensions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

Measure warpo::suspendedMeasure(const Measure &clock) {
  return {.name = "suspended", .unit = clock.unit, .scale = clock.scale};
}

Counts WithoutSuspensions::moved(const Stream &stream, const Counts &counts) const {
  const SuspendedTime::Moment &waited = stream.suspension.waited();
  Counts result = counts;
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    result[column] -= std::min(waited.counts[column], counts[column]);
  if (hasColumn())
    result[*suspended_] = waited.time - stream.suspension.recording();
  return result;
}

LostRange WithoutSuspensions::moved(Stream &stream, const LostRange &range) {
  stream.suspension.beginLost(range);
  LostRange result = range;
  result.from -= stream.suspension.waited().time;
  result.to -= stream.suspension.waited().time;
  result.countsFrom = moved(stream, range.countsFrom);
  result.countsTo = moved(stream, range.countsTo);
  stream.suspension.endLost(range);
  return result;
}

Error WithoutSuspensions::begin(Stream &stream, StreamIndex index) {
  if (!hasColumn() || std::exchange(stream.hasBegun, true))
    return Error::success();
  constexpr uint64_t nothing = 0;
  EventBatch start;
  start.stream = index;
  start.counts.add(*suspended_, nothing);
  return next_.events(start);
}

// Suspensions are rare, and most events differ in their time alone: about 1 ns each.
size_t WithoutSuspensions::takeUpToSuspension(Stream &stream, ArrayRef<Event> events) {
  const Event *end =
      find_if(events, [&](const Event &event) { return functions_.isSuspension(event.function); });
  events = events.take_front(end - events.begin());
  if (events.empty())
    return 0;
  made_.makeRoom(events.size());
  uint64_t waited = stream.suspension.waited().time;
  Event *next = made_.nextEvent();
  for (const Event &event : events) {
    *next = event;
    next++->time -= waited;
  }
  made_.wrote(events.size());
  stream.suspension.run(events.back().time);
  return events.size();
}

Error WithoutSuspensions::events(const EventBatch &batch) {
  if (!functions_.hasSuspensions())
    return next_.events(batch);
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  if (Error error = begin(stream, batch.stream))
    return error;
  ColumnSet columns(batch.counts);
  if (hasColumn())
    columns.insert(*suspended_);
  made_.start(columns);
  Counts counts = batch.counts.at(0);
  counts = maxOf(counts, stream.suspension.lastCounts());
  ArrayRef<LostRange> lost = batch.lost;
  auto takeLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position))
      made_.append(moved(stream, range));
  };
  bool hasTimesAlone = columns.empty() && lost.empty();
  for (size_t i = 0; i < batch.events.size(); ++i) {
    if (hasTimesAlone && stream.suspension.isRunning())
      i += takeUpToSuspension(stream, batch.events.drop_front(i));
    if (i == batch.events.size())
      break;
    takeLosses(i);
    Event event = batch.events[i];
    batch.counts.update(counts, i);
    if (!stream.suspension.take(functions_, event, counts))
      continue;
    event.time -= stream.suspension.waited().time;
    made_.append(event, moved(stream, counts));
  }
  takeLosses(batch.events.size());
  EventBatch kept = made_.batch(batch.stream);
  return kept.empty() ? Error::success() : next_.events(kept);
}
