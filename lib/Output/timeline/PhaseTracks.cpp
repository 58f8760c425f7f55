//===- PhaseTracks.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PhaseTracks.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <set>

using namespace llvm;
using namespace warpo;

/// A time of a phase, which may be before the clock's 0.
static uint64_t nanosecondsOf(uint64_t time, const TimelineInfo &info) {
  uint64_t origin = info.header.origin;
  bool isBeforeZero = int64_t(time - origin) < 0 && time > origin;
  return isBeforeZero ? 0 : info.scale.toNanoseconds(time);
}

namespace {

/// The tracks of one run, numbered among all tracks.
class RunTracks {
public:
  /// The first track with space for a phase; `next` if there is none. Phases must come in the order
  /// of their begins.
  size_t place(const PhaseSlice &phase, size_t next) {
    for (; !busy_.empty() && busy_.begin()->first <= phase.begin; busy_.erase(busy_.begin()))
      free_.insert(busy_.begin()->second);
    size_t track = free_.empty() ? next : *free_.begin();
    free_.erase(track);
    busy_.emplace(phase.end, track);
    return track;
  }

private:
  /// By track, the end of its last phase.
  std::set<std::pair<uint64_t, size_t>> busy_;
  std::set<size_t> free_;
};

} // namespace

std::vector<PhaseTrack> warpo::phaseTracks(const TimelineInfo &info) {
  std::vector<PhaseTrack> tracks;
  if (info.isPiece || !info.header.hasTime())
    return tracks;
  // Sorted by begin; equal ones stay in the record's order.
  std::multimap<uint64_t, std::pair<PhaseSlice, StringRef>> slices;
  for (const RecordedPhase &phase : info.header.phases) {
    uint64_t begin = nanosecondsOf(phase.begin, info);
    uint64_t end = std::max(begin, nanosecondsOf(phase.end, info));
    PhaseSlice slice{phase.name, begin, end, info.header.unitOf(phase), phase.ticks};
    if (end > 0)
      slices.emplace(begin, std::pair(slice, StringRef(phase.run)));
  }
  StringMap<RunTracks> runs;
  for (const auto &[begin, entry] : slices) {
    const auto &[slice, run] = entry;
    size_t track = runs[run].place(slice, tracks.size());
    if (track == tracks.size())
      tracks.push_back({run.empty() ? "host" : run.str() + ": host", {}});
    tracks[track].phases.push_back(slice);
  }
  return tracks;
}
