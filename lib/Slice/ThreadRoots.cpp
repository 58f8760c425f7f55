//===- ThreadRoots.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/ThreadRoots.h"

using namespace llvm;
using namespace warpo;

FunctionIndex ThreadFrames::of(StreamIndex stream) {
  uint64_t number = header_.streams[stream].thread;
  if (number == 0)
    return noFunction;
  auto [entry, isNew] = frames_.try_emplace(number);
  if (isNew)
    entry->second = functions_.pseudoFunction("thread-" + std::to_string(number), attribute);
  return entry->second;
}

Error ThreadRoots::events(const EventBatch &batch) {
  FunctionIndex frame = frames_.of(batch.stream);
  if (frame == noFunction)
    return next_.events(batch);
  if (batch.stream >= depths_.size())
    depths_.resize(batch.stream + 1);
  size_t &depth = depths_[batch.stream];
  made_.start(ColumnSet(batch.counts));
  ArrayRef<LostRange> lost = batch.lost;
  auto takeLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position)) {
      if (depth == 0)
        made_.append(Event{range.from, frame, EventKind::begin}, range.countsFrom);
      made_.append(range);
      if (depth == 0)
        made_.append(Event{range.to, frame, EventKind::endReturned}, range.countsTo);
    }
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    takeLosses(i);
    const Event &event = batch.events[i];
    const Counts counts = batch.counts.at(i);
    if (event.kind == EventKind::begin && depth++ == 0)
      made_.append(Event{event.time, frame, EventKind::begin}, counts);
    made_.append(event, counts);
    if (isEnd(event.kind) && --depth == 0)
      made_.append(Event{event.time, frame, event.kind}, counts);
  }
  takeLosses(batch.events.size());
  return next_.events(made_.batch(batch.stream));
}
