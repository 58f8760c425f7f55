//===- PhaseFrames.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/PhaseFrames.h"
#include "warpo/Record/FunctionTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

PhaseFrames::PhaseFrames(const HostPhases &phases, const RecordHeader &header,
                         FunctionTable &functions, EventSink &next)
    : ForwardingSink(next), phases_(phases), header_(header),
      functions_(phases.framesIn(functions)) {}

PhaseFrames::Stream &PhaseFrames::streamOf(StreamIndex index) {
  if (streams_.size() <= index)
    streams_.resize(index + 1);
  Stream &stream = streams_[index];
  if (stream.isKnown)
    return stream;
  stream.isKnown = true;
  stream.run = phases_.runOf(header_.streams[index]);
  stream.isFirst = stream.run && !is_contained(begunRuns_, stream.run);
  if (stream.isFirst) {
    begunRuns_.push_back(stream.run);
    stream.ahead = stream.run->spans();
    // Charts do not show times before 0.
    stream.now = phases_.hasTime() ? phases_.keyOf(0) : 0;
  }
  return stream;
}

void PhaseFrames::setPhase(Stream &stream, uint64_t key, uint32_t phase) {
  stream.now = std::max(stream.now, key);
  if (stream.phase == phase)
    return;
  auto append = [&](EventKind kind) {
    made_.append(Event{phases_.timeOf(stream.now), functions_[stream.phase], kind}, stream.counts);
  };
  if (stream.phase != RunPhases::noPhase)
    append(EventKind::endReturned);
  stream.phase = phase;
  if (phase != RunPhases::noPhase)
    append(EventKind::begin);
}

uint32_t PhaseFrames::phaseAt(StreamIndex stream, uint64_t time) {
  const RunPhases *run = streamOf(stream).run;
  return run ? run->find(phases_.keyOf(time)) : RunPhases::noPhase;
}

/// Whether a call has outlasted the span.
bool PhaseFrames::isOver(const Stream &stream, const RunPhases::Span &span) {
  return span.to < stream.now || (span.to == stream.now && span.from < span.to);
}

void PhaseFrames::advance(Stream &stream, uint64_t key, uint32_t phase) {
  for (; !stream.ahead.empty() && stream.ahead.front().from < key;
       stream.ahead = stream.ahead.drop_front()) {
    const RunPhases::Span &span = stream.ahead.front();
    if (isOver(stream, span))
      continue;
    setPhase(stream, span.from, span.phase);
    if (span.to > key)
      break;
    stream.now = std::max(stream.now, span.to);
  }
  setPhase(stream, key, phase);
}

void PhaseFrames::enter(Stream &stream, uint64_t time) {
  if (!stream.run)
    return;
  uint64_t key = phases_.keyOf(time);
  advance(stream, key, stream.given ? *stream.given : stream.run->find(key));
}

void PhaseFrames::leave(Stream &stream, uint64_t time) {
  if (!stream.run)
    return;
  stream.now = std::max(stream.now, phases_.keyOf(time));
  if (!stream.isFirst)
    setPhase(stream, stream.now, RunPhases::noPhase);
}

void PhaseFrames::take(Stream &stream, const Event &event, const Counts &counts) {
  if (event.kind == EventKind::begin && stream.depth++ == 0)
    enter(stream, event.time);
  made_.append(event, counts);
  stream.counts = counts;
  if (isEnd(event.kind) && --stream.depth == 0)
    leave(stream, event.time);
}

void PhaseFrames::take(Stream &stream, const LostRange &range) {
  if (stream.depth == 0)
    enter(stream, range.from);
  made_.append(range);
  for (ColumnIndex column : stream.columns)
    stream.counts[column] = std::max(stream.counts[column], range.countsTo[column]);
  if (stream.depth == 0)
    leave(stream, range.to);
}

Error PhaseFrames::events(const EventBatch &batch) {
  Stream &stream = streamOf(batch.stream);
  for (const CountColumns::Column &column : batch.counts)
    if (stream.columns.insert(column.index))
      stream.counts[column.index] = column.values[0];
  made_.start(stream.columns);
  ArrayRef<LostRange> lost = batch.lost;
  for (size_t i = 0; i < batch.events.size(); ++i) {
    for (const LostRange &range : takeUpTo(lost, i))
      take(stream, range);
    // A phase that ends before the next call gets the counts at the end of this one.
    take(stream, batch.events[i], batch.counts.at(i, stream.counts));
  }
  for (const LostRange &range : lost)
    take(stream, range);
  return passOn(batch.stream);
}

Error PhaseFrames::passOn(StreamIndex stream) {
  EventBatch batch = made_.batch(stream);
  return batch.empty() ? Error::success() : next_.events(batch);
}

Error PhaseFrames::finish() {
  for (size_t i = 0; i < streams_.size(); ++i) {
    Stream &stream = streams_[i];
    made_.start(stream.columns);
    // Without time, the end of the last phase is unknown.
    for (const RunPhases::Span &span : std::exchange(stream.ahead, {})) {
      if (isOver(stream, span))
        continue;
      setPhase(stream, span.from, span.phase);
      if (span.to != UINT64_MAX)
        stream.now = std::max(stream.now, span.to);
    }
    setPhase(stream, stream.now, RunPhases::noPhase);
    if (Error error = passOn(StreamIndex(i)))
      return error;
  }
  return next_.finish();
}
