//===- PhaseRoots.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/PhaseRoots.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

std::vector<PhaseCover::Union::Interval>
PhaseCover::Union::joined(std::vector<Interval> intervals) {
  llvm::sort(intervals);
  size_t kept = 0;
  for (const Interval &interval : intervals) {
    if (kept > 0 && interval.first <= intervals[kept - 1].second)
      intervals[kept - 1].second = std::max(intervals[kept - 1].second, interval.second);
    else
      intervals[kept++] = interval;
  }
  intervals.resize(kept);
  return intervals;
}

void PhaseCover::Union::add(uint64_t from, uint64_t to) {
  if (from == to)
    return;
  if (!intervals_.empty() && intervals_.back().second == from) {
    intervals_.back().second = to;
    return;
  }
  intervals_.emplace_back(from, to);
  if (intervals_.size() < joinAt_)
    return;
  intervals_ = joined(std::move(intervals_));
  joinAt_ = std::max(joinAt_, 2 * intervals_.size());
}

uint64_t PhaseCover::Union::length() const {
  uint64_t sum = 0;
  for (auto [from, to] : joined(intervals_))
    sum += to - from;
  return sum;
}

void PhaseCover::add(const RunPhases &run, uint32_t phase, uint64_t from, uint64_t to,
                     const Counts &counts) {
  auto &amounts = amounts_[phase];
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    amounts[column + 1] = SaturatingAdd(amounts[column + 1], counts[column]);
  if (!phases_.hasTime()) {
    amounts[0] = SaturatingAdd(amounts[0], to - from);
    return;
  }
  Union &time = time_[{&run, phase}];
  uint64_t begin = phases_.keyOf(from);
  uint64_t end = phases_.keyOf(to);
  // A call may outlast its phase.
  for (const RunPhases::Span &span : run.spansFrom(begin)) {
    if (span.from >= end)
      break;
    if (span.phase == phase && span.to > begin)
      time.add(std::max(begin, span.from), std::min(end, span.to));
  }
}

std::optional<uint64_t> PhaseCover::own(uint32_t phase, MeasureIndex measure) const {
  std::optional<uint64_t> whole = phases_.phases()[phase].amounts[measure];
  if (!whole)
    return std::nullopt;
  uint64_t covered = amounts_[phase][measure];
  for (const auto &[place, time] : time_)
    if (measure == 0 && place.second == phase)
      covered += time.length();
  return *whole - std::min(*whole, covered);
}

PhaseRoots::PhaseRoots(const HostPhases &phases, const RecordHeader &header,
                       FunctionTable &functions, EventSink &next)
    : ForwardingSink(next), phases_(phases), header_(header),
      functions_(phases.framesIn(functions)), cover_(phases) {}

PhaseRoots::Stream &PhaseRoots::streamOf(StreamIndex index) {
  while (streams_.size() <= index)
    streams_.push_back({.run = phases_.runOf(header_.streams[streams_.size()])});
  return streams_[index];
}

void PhaseRoots::enter(Stream &stream, uint64_t time, const Counts &counts) {
  stream.phase = stream.run ? stream.run->find(phases_.keyOf(time)) : RunPhases::noPhase;
  if (stream.phase == RunPhases::noPhase)
    return;
  stream.start = time;
  stream.startCounts = counts;
  made_.append(Event{time, functions_[stream.phase], EventKind::begin}, counts);
}

void PhaseRoots::leave(Stream &stream, uint64_t time, EventKind kind, const Counts &counts) {
  if (stream.phase == RunPhases::noPhase)
    return;
  made_.append(Event{time, functions_[stream.phase], kind}, counts);
  Counts spent;
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    spent[column] = counts[column] - stream.startCounts[column];
  cover_.add(*stream.run, stream.phase, stream.start, time, spent);
}

void PhaseRoots::take(Stream &stream, const Event &event, const Counts &counts) {
  if (event.kind == EventKind::begin && stream.depth++ == 0)
    enter(stream, event.time, counts);
  made_.append(event, counts);
  if (isEnd(event.kind) && --stream.depth == 0)
    leave(stream, event.time, event.kind, counts);
}

void PhaseRoots::take(Stream &stream, const LostRange &range) {
  if (stream.depth == 0)
    enter(stream, range.from, range.countsFrom);
  made_.append(range);
  if (stream.depth == 0)
    leave(stream, range.to, EventKind::endReturned, range.countsTo);
}

Error PhaseRoots::events(const EventBatch &batch) {
  Stream &stream = streamOf(batch.stream);
  made_.start(ColumnSet(batch.counts));
  ArrayRef<LostRange> lost = batch.lost;
  auto takeLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position))
      take(stream, range);
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    takeLosses(i);
    take(stream, batch.events[i], batch.counts.at(i));
  }
  takeLosses(batch.events.size());
  return next_.events(made_.batch(batch.stream));
}

SamplePhaseRoots::SamplePhaseRoots(const HostPhases &phases, const RecordHeader &header,
                                   FunctionTable &functions, SampleTree &tree)
    : phases_(phases), header_(header), functions_(phases.framesIn(functions)), tree_(tree),
      cover_(phases) {}

void SamplePhaseRoots::add(StreamIndex stream, ArrayRef<StackSample> samples, FunctionIndex outer) {
  const RunPhases *run = phases_.runOf(header_.streams[stream]);
  auto phaseOf = [&](const StackSample &sample) {
    return run ? run->find(phases_.keyOf(sample.time)) : RunPhases::noPhase;
  };
  for (ArrayRef<StackSample> rest = samples; !rest.empty();) {
    uint32_t phase = phaseOf(rest.front());
    ArrayRef<StackSample> together =
        rest.take_while([&](const StackSample &sample) { return phaseOf(sample) == phase; });
    rest = rest.drop_front(together.size());
    tree_.add(together, {outer, phase == RunPhases::noPhase ? noFunction : functions_[phase]});
    for (const StackSample &sample : together)
      if (phase != RunPhases::noPhase && sample.stack != 0)
        cover_.add(*run, phase, sample.begin(), sample.time, sample.countsSince);
  }
}
