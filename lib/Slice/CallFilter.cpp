//===- CallFilter.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/CallFilter.h"

using namespace llvm;
using namespace warpo;

void CallFilter::process(const RecordBatch &batch, EventBuilder &calls) {
  Stream &stream = streamOf(calls);
  stream.all->enterModule(calls.ids());
  stream.all->replay(batch);
  forward(stream, calls);
}

void CallFilter::finish(EventBuilder &calls) {
  Stream &stream = streamOf(calls);
  if (std::optional<uint64_t> time = calls.lastTime())
    stream.all->assumeTime(*time);
  stream.all->finish();
  forward(stream, calls);
}

CallFilter::Stream &CallFilter::streamOf(EventBuilder &calls) {
  if (calls.stream() >= streams_.size())
    streams_.resize(calls.stream() + 1);
  Stream &stream = streams_[calls.stream()];
  if (!stream.all)
    stream.all = std::make_unique<EventBuilder>(calls.stream(), calls.lastTime(), calls.ids(),
                                                calls.repairs());
  return stream;
}

void CallFilter::forward(Stream &stream, EventBuilder &calls) {
  EventBatch batch = stream.all->batch();
  ArrayRef<LostRange> lost = batch.lost;
  for (size_t i = 0; i < batch.events.size(); ++i) {
    for (const LostRange &range : takeUpTo(lost, i))
      calls.addLost(range);
    forward(stream, batch.events[i], batch.counts.at(i), calls);
  }
  for (const LostRange &range : lost)
    calls.addLost(range);
  calls.addUnmatchedEnds(stream.all->unmatchedEnds());
  stream.all->clear();
}

void CallFilter::forward(Stream &stream, const Event &event, const Counts &counts,
                         EventBuilder &calls) {
  if (event.kind == EventKind::begin) {
    bool kept = keeps(calls.stream(), event.function, stream.kept.size());
    stream.kept.push_back(kept);
    if (kept)
      calls.beginFunction(event.time, event.function, counts);
    return;
  }
  ends(calls.stream(), event.function);
  if (stream.kept.back())
    calls.endFunction(event.time, event.function, event.kind, counts);
  stream.kept.pop_back();
}
