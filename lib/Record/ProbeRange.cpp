//===- ProbeRange.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeRange.h"
#include "warpo/Record/RecordWalk.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

/// The cost of a trace point in a program is at most so many times that in a quiet loop, and at
/// least that divided by it. Longer calls do work.
static constexpr double mostInPrograms = 2;
/// The usual cost with a coarse clock, as such a multiple, where calls do not show it: the thread
/// that packs the events has the memory that they are stored to in its own cache. Chosen on
/// programs of benchmarks/truth.py; no other program has confirmed it.
static constexpr double usualInPrograms = 1.6;
/// The maximum as a multiple of the cost in the shortest calls, where these show it: elsewhere code
/// and data are in the processor's caches less often. Chosen on the traces that Interruptions.h
/// names.
static constexpr double mostInOtherCalls = 1.25;
/// No trace point costs more than this; a record may claim any cost.
static constexpr uint64_t maxParts = uint64_t(1) << 40;

ProbeRange ProbeRange::of(ProbeCost stated, const LeafCalls &calls) {
  uint64_t begin = std::min(stated.begin, maxParts);
  uint64_t end = std::min(stated.end, maxParts);
  // Nearly every call has both.
  double quiet = double(begin + end) / 2 / double(ProbeCost::partsOfCount);
  if (quiet == 0)
    return {};
  ProbeRange range{quiet, quiet, mostInPrograms * quiet, {}};
  if (std::optional<LeafCalls::Shortest> shortest = calls.shortest()) {
    if (shortest->isCoarse && shortest->mean <= quiet)
      range = {shortest->mean / mostInPrograms, shortest->mean, quiet, {}};
    else if (shortest->isCoarse)
      range = {quiet / mostInPrograms,
               std::min(usualInPrograms * quiet, shortest->mean),
               range.most,
               {}};
    else if (shortest->mean <= range.most) {
      // May be less than in the quiet loop: the processor overlaps it with the program's work.
      double likely = std::max(quiet / mostInPrograms, shortest->mean - calls.leastWork());
      range = {std::min(quiet, likely),
               likely,
               std::clamp(mostInOtherCalls * shortest->mean, quiet, range.most),
               {}};
    }
    // A coarse clock does not advance, either, while the thread that updates it has no processor.
    double interruption = shortest->isCoarse ? 1 : calls.interruption();
    range.likely *= interruption;
    range.most *= interruption;
  }
  auto scaled = [&](uint64_t parts) {
    return uint64_t(std::min(double(parts) * range.likely / quiet + 0.5, double(maxParts)));
  };
  range.cost = {scaled(begin), scaled(end)};
  return range;
}

Expected<RecordingEffects> warpo::recordingEffects(RecordReader &reader) {
  LeafCalls calls;
  ClockStops stops;
  const RecordHeader &header = reader.header();
  auto add = [&](const RecordBatch &batch) {
    std::optional<TimeScale> scale = header.measures.front().scale;
    calls.add(batch, scale);
    if (!batch.ids.empty())
      stops.add(batch, header.stackOf(batch.stream), scale);
    return Error::success();
  };
  if (Error error = forEachBatch(reader, add))
    return error;
  RecordingEffects effects{ProbeRange::of(reader.probe(), calls)};
  std::optional<TimeScale> scale = header.measures.front().scale;
  std::optional<LeafCalls::Shortest> shortest = calls.shortest();
  if (!scale || !shortest || !shortest->isCoarse)
    return effects;
  // With a fine clock the stops have been counted in vain: that it is fine shows in the calls.
  effects.waits = stops.waits();
  effects.step = std::min(reader.probe().step, maxParts);
  // Without this limit small functions would be left without any time: a trace point of a coarse
  // clock takes less than in a quiet loop where the processor runs it beside the program's work.
  effects.leastWork =
      uint64_t(std::min(calls.leastWork() * ProbeCost::partsOfCount, double(maxParts)));
  return effects;
}
