//===- LinkedCalls.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/LinkedCalls.h"

using namespace llvm;
using namespace warpo;

Error LinkedCalls::events(const EventBatch &batch) {
  if (!functions_.mayHaveLinks())
    return next_.events(batch);
  if (streams_.size() <= batch.stream)
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  made_.start(ColumnSet(batch.counts));
  Counts counts = batch.counts.at(0);
  ArrayRef<LostRange> lost = batch.lost;
  auto takeLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position)) {
      release(stream);
      made_.append(range);
    }
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    takeLosses(i);
    batch.counts.update(counts, i);
    append(stream, batch.events[i], counts);
  }
  takeLosses(batch.events.size());
  EventBatch kept = made_.batch(batch.stream);
  return kept.empty() ? Error::success() : next_.events(kept);
}

void LinkedCalls::append(Stream &stream, Event event, const Counts &counts) {
  if (!stream.held.empty()) {
    if (functions_.isRecording(event.function)) {
      stream.held.push_back({event, counts});
      return;
    }
    FunctionIndex &linked = stream.held.front().event.function;
    if (event.kind == EventKind::begin && functions_.isLinkTo(linked, event.function)) {
      linked = functions_.linkedBy(linked, event.function);
      stream.open[stream.outer].function = linked;
      // The function may be an import itself. Time of the recorder comes behind the begin.
      if (!functions_.isLinked(linked) || stream.held.size() > 1)
        release(stream);
      stream.open.push_back({event.function, true});
      return;
    }
    release(stream);
  }
  if (event.kind == EventKind::begin) {
    stream.open.push_back({event.function, false});
    if (functions_.isLinked(event.function)) {
      stream.outer = stream.open.size() - 1;
      stream.held.push_back({event, counts});
      return;
    }
  } else if (!stream.open.empty()) {
    Call ended = stream.open.back();
    stream.open.pop_back();
    if (ended.isLeftOut)
      return;
    event.function = ended.function;
  }
  made_.append(event, counts);
}

void LinkedCalls::release(Stream &stream) {
  for (const Held &held : stream.held) {
    made_.append(held.event, held.counts);
    if (!functions_.isRecording(held.event.function))
      continue;
    if (held.event.kind == EventKind::begin)
      stream.open.push_back({held.event.function, false});
    else
      stream.open.pop_back();
  }
  stream.held.clear();
}
