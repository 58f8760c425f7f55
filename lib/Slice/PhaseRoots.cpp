//===- PhaseRoots.cpp -----------------------------------------------------===//

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
                     uint64_t fuel) {
  fuel_[phase] = SaturatingAdd(fuel_[phase], fuel);
  if (phases_.timeIsFuel())
    return;
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

uint64_t PhaseCover::ownTime(uint32_t phase) const {
  uint64_t covered = 0;
  for (const auto &[place, time] : time_)
    if (place.second == phase)
      covered += time.length();
  uint64_t whole = phases_.phases()[phase].time;
  return whole - std::min(whole, covered);
}

std::optional<uint64_t> PhaseCover::ownFuel(uint32_t phase) const {
  std::optional<uint64_t> whole = phases_.phases()[phase].fuel;
  if (!whole)
    return std::nullopt;
  return *whole - std::min(*whole, fuel_[phase]);
}

static std::vector<FunctionIndex> framesOf(const HostPhases &phases, FunctionTable &functions) {
  std::vector<FunctionIndex> frames;
  for (const HostPhases::Phase &phase : phases.phases())
    frames.push_back(functions.pseudoFunction(phase.name));
  return frames;
}

PhaseRoots::PhaseRoots(const HostPhases &phases, const RecordHeader &header,
                       FunctionTable &functions, EventSink &next)
    : phases_(phases), header_(header), functions_(framesOf(phases, functions)), next_(next),
      cover_(phases) {}

PhaseRoots::Stream &PhaseRoots::streamOf(StreamIndex index) {
  while (streams_.size() <= index)
    streams_.push_back({.run = phases_.runOf(header_.streams[streams_.size()])});
  return streams_[index];
}

void PhaseRoots::enter(Stream &stream, uint64_t time, uint64_t fuel) {
  stream.phase = stream.run ? stream.run->find(phases_.keyOf(time)) : RunPhases::noPhase;
  if (stream.phase == RunPhases::noPhase)
    return;
  stream.start = time;
  stream.startFuel = fuel;
  append({time, functions_[stream.phase], EventKind::begin}, fuel);
}

void PhaseRoots::leave(Stream &stream, uint64_t time, EventKind kind, uint64_t fuel) {
  if (stream.phase == RunPhases::noPhase)
    return;
  append({time, functions_[stream.phase], kind}, fuel);
  uint64_t burnt = phases_.timeIsFuel() ? time - stream.start : fuel - stream.startFuel;
  cover_.add(*stream.run, stream.phase, stream.start, time, burnt);
}

void PhaseRoots::take(Stream &stream, const Event &event, uint64_t fuel) {
  if (event.kind == EventKind::begin && stream.depth++ == 0)
    enter(stream, event.time, fuel);
  append(event, fuel);
  if (isEnd(event.kind) && --stream.depth == 0)
    leave(stream, event.time, event.kind, fuel);
}

void PhaseRoots::take(Stream &stream, const LostRange &range) {
  if (stream.depth == 0)
    enter(stream, range.from, range.fuelFrom);
  lost_.push_back(range);
  lost_.back().position = uint32_t(events_.size());
  if (stream.depth == 0)
    leave(stream, range.to, EventKind::endReturned, range.fuelTo);
}

Error PhaseRoots::events(const EventBatch &batch) {
  Stream &stream = streamOf(batch.stream);
  events_.clear();
  lost_.clear();
  fuel_.clear();
  ArrayRef<LostRange> lost = batch.lost;
  auto takeLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position))
      take(stream, range);
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    takeLosses(i);
    take(stream, batch.events[i], batch.fuel.empty() ? 0 : batch.fuel[i]);
  }
  takeLosses(batch.events.size());
  ArrayRef<uint64_t> fuel = fuel_;
  return next_.events(
      {batch.stream, events_, lost_, batch.fuel.empty() ? fuel.take_front(0) : fuel});
}

SamplePhaseRoots::SamplePhaseRoots(const HostPhases &phases, const RecordHeader &header,
                                   FunctionTable &functions, SampleTree &tree)
    : phases_(phases), header_(header), functions_(framesOf(phases, functions)), tree_(tree),
      cover_(phases) {}

void SamplePhaseRoots::add(const SampleBatch &batch) {
  const RunPhases *run = phases_.runOf(header_.streams[batch.stream]);
  auto phaseOf = [&](const StackSample &sample) {
    return run ? run->find(phases_.keyOf(sample.time)) : RunPhases::noPhase;
  };
  for (ArrayRef<StackSample> rest = batch.samples; !rest.empty();) {
    uint32_t phase = phaseOf(rest.front());
    ArrayRef<StackSample> together =
        rest.take_while([&](const StackSample &sample) { return phaseOf(sample) == phase; });
    rest = rest.drop_front(together.size());
    tree_.add(together, phase == RunPhases::noPhase ? noFunction : functions_[phase]);
    for (const StackSample &sample : together)
      if (phase != RunPhases::noPhase && sample.stack != 0)
        cover_.add(*run, phase, sample.time - sample.timeSince, sample.time,
                   phases_.timeIsFuel() ? sample.timeSince : sample.fuelSince);
  }
}
