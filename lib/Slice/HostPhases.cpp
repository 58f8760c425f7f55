//===- HostPhases.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/HostPhases.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;
using namespace warpo;

StringRef warpo::runNameOf(const StreamInfo &stream, function_ref<bool(StringRef)> isRun) {
  // MergedRecord names streams `run` or `run: name`.
  StringRef name = stream.name;
  for (size_t end = name.size(); end != StringRef::npos; end = name.take_front(end).rfind(": "))
    if (isRun(name.take_front(end)))
      return name.take_front(end);
  return "";
}

RunPhases::RunPhases(ArrayRef<Interval> phases) {
  std::vector<uint64_t> moments;
  std::vector<size_t> byBegin(phases.size()), byEnd(phases.size());
  for (size_t i = 0; i < phases.size(); ++i) {
    moments.insert(moments.end(), {phases[i].begin, phases[i].end});
    byBegin[i] = byEnd[i] = i;
  }
  llvm::sort(moments);
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  // Stable for equal keys.
  auto sortBy = [&](std::vector<size_t> &order, uint64_t Interval::*key) {
    llvm::sort(order, [&](size_t a, size_t b) {
      return std::pair(phases[a].*key, a) < std::pair(phases[b].*key, b);
    });
  };
  sortBy(byBegin, &Interval::begin);
  sortBy(byEnd, &Interval::end);

  // The phases that contain the current moment, by their begins.
  std::set<std::pair<uint64_t, size_t>> open;
  auto last = [&] { return open.empty() ? noPhase : phases[open.rbegin()->second].phase; };
  ArrayRef<size_t> beginning = byBegin, ending = byEnd;
  for (size_t i = 0; i < moments.size(); ++i) {
    for (; !beginning.empty() && phases[beginning.front()].begin == moments[i];
         beginning = beginning.drop_front())
      open.insert({moments[i], beginning.front()});
    uint32_t atStart = last();
    for (; !ending.empty() && phases[ending.front()].end == moments[i];
         ending = ending.drop_front())
      open.erase({phases[ending.front()].begin, ending.front()});
    uint64_t next = i + 1 < moments.size() ? moments[i + 1] : moments[i];
    spans_.push_back({moments[i], next, atStart, last()});
  }
}

ArrayRef<RunPhases::Span> RunPhases::spansFrom(uint64_t key) const {
  auto after = upper_bound(spans_, key,
                           [](uint64_t moment, const Span &span) { return moment < span.from; });
  size_t first = after == spans_.begin() ? 0 : size_t(after - spans_.begin()) - 1;
  return ArrayRef(spans_).drop_front(first);
}

uint32_t RunPhases::find(uint64_t key) const {
  ArrayRef<Span> spans = spansFrom(key);
  if (spans.empty() || key < spans.front().from)
    return noPhase;
  return key == spans.front().from ? spans.front().phaseAtStart : spans.front().phase;
}

// Units are chosen by the host, such as the bytes of a file. A unit refers to a measure of that
// name only if it begins with `#`, or if it is `fuel`.
static bool isIn(const RecordedPhase &phase, const Measure &measure) {
  StringRef unit = phase.unit;
  return (unit.consume_front("#") || unit == "fuel") && unit == measure.name;
}

Expected<HostPhases> HostPhases::create(const RecordHeader &header) {
  if (header.phases.empty())
    return makeError(
        "the record has no phases of the host; warpo-run records them, in the format warpo");
  HostPhases result;
  result.hasTime_ = header.hasTime();
  result.zero_ = header.hasTime() ? header.origin - (uint64_t(1) << 63) : header.origin;
  for (const RecordedPhase &recorded : header.phases) {
    Phase &phase = result.phases_[result.phaseCalled(recorded.name)];
    for (const auto &[index, measure] : enumerate(header.measures)) {
      std::optional<uint64_t> &amount = phase.amounts[index];
      if (!isIn(recorded, measure))
        amount.reset();
      else if (phase.count == 0)
        amount = recorded.ticks;
      else if (amount)
        amount = SaturatingAdd(*amount, recorded.ticks);
    }
    ++phase.count;
  }
  if (header.hasTime())
    result.placeByTime(header);
  else if (Error error = result.placeByCounts(header))
    return error;
  return result;
}

uint32_t HostPhases::phaseCalled(StringRef name) {
  auto [place, isNew] = phaseOfName_.try_emplace(name, uint32_t(phases_.size()));
  if (isNew)
    phases_.push_back({.name = name.str()});
  return place->second;
}

void HostPhases::placeByTime(const RecordHeader &header) {
  std::map<std::string, std::vector<RunPhases::Interval>> intervals;
  for (Phase &phase : phases_)
    phase.amounts[0] = 0;
  for (const RecordedPhase &phase : header.phases)
    intervals[phase.run].push_back({keyOf(phase.begin), keyOf(phase.end), phaseCalled(phase.name)});
  for (const auto &[run, ofRun] : intervals) {
    RunPhases &placed = runs_[run] = RunPhases(ofRun);
    for (const RunPhases::Span &span : placed.spans())
      if (span.phase != RunPhases::noPhase) {
        std::optional<uint64_t> &time = phases_[span.phase].amounts[0];
        time = SaturatingAdd(*time, span.to - span.from);
      }
  }
}

// The record's only clock is a count. If the program has one counter, the amount of each phase says
// at which count the phase ends. If there are several counters, only the sum of a phase over all of
// them is known, which is sufficient if a single phase has the whole amount.
Error HostPhases::placeByCounts(const RecordHeader &header) {
  const Measure &clock = header.measures.front();
  std::vector<RunPhases::Interval> intervals;
  uint64_t spent = 0;
  size_t spending = 0;
  for (const RecordedPhase &phase : header.phases) {
    bool isKnown = isIn(phase, clock);
    // Phases with other units do not use the clock.
    if (!isKnown && !phase.unit.empty())
      continue;
    uint64_t end = isKnown ? SaturatingAdd(spent, phase.ticks) : UINT64_MAX;
    spending += end > spent;
    intervals.push_back({spent, end, phaseCalled(phase.name)});
    spent = end;
  }
  bool hasOneCounter = header.modules.size() <= 1 && header.streams.size() <= 1;
  if (!hasOneCounter && spending > 1)
    return makeError(clock.name + " is the record's only clock, and " +
                     countOf(header.streams.size(), "stream") + " of " +
                     countOf(header.modules.size(), "module") +
                     " count it separately: the phase in which a call began is unknown");
  if (!hasOneCounter)
    erase_if(intervals, [](const auto &interval) { return interval.begin == interval.end; });
  if (!intervals.empty())
    intervals.back().end = UINT64_MAX;
  runs_[""] = RunPhases(intervals);
  return Error::success();
}

StringRef HostPhases::runNameOf(const StreamInfo &stream) const {
  return warpo::runNameOf(stream, [&](StringRef name) { return runs_.count(name) > 0; });
}

const RunPhases *HostPhases::runOf(const StreamInfo &stream) const {
  auto run = runs_.find(runNameOf(stream));
  return run == runs_.end() ? nullptr : &run->second;
}

std::vector<FunctionIndex> HostPhases::framesIn(FunctionTable &functions) const {
  std::vector<FunctionIndex> frames;
  for (const Phase &phase : phases_)
    frames.push_back(functions.pseudoFunction(phase.name, attribute));
  return frames;
}
