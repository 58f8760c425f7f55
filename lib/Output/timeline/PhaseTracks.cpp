//===- PhaseTracks.cpp ----------------------------------------------------===//

#include "PhaseTracks.h"
#include <map>

using namespace llvm;
using namespace warpo;

/// A time of a phase, which may lie before the 0 of the clock.
static uint64_t nanosecondsOf(uint64_t time, const TimelineInfo &info) {
  uint64_t origin = info.header.origin;
  bool isBeforeZero = int64_t(time - origin) < 0 && time > origin;
  return isBeforeZero ? 0 : info.scale.toNanoseconds(time);
}

/// The first track of the run on which the phase finds room.
static PhaseTrack &trackFor(std::vector<PhaseTrack> &tracks, const std::string &name,
                            uint64_t begin) {
  for (PhaseTrack &track : tracks)
    if (track.name == name && track.phases.back().end <= begin)
      return track;
  return tracks.emplace_back(PhaseTrack{name, {}});
}

std::vector<PhaseTrack> warpo::phaseTracks(const TimelineInfo &info) {
  std::vector<PhaseTrack> tracks;
  if (info.isPiece || info.header.timeIsFuel)
    return tracks;
  // By their begin; of those that begin together, in the record's order.
  std::multimap<uint64_t, std::pair<PhaseSlice, StringRef>> slices;
  for (const RecordedPhase &phase : info.header.phases) {
    uint64_t begin = nanosecondsOf(phase.begin, info);
    uint64_t end = std::max(begin, nanosecondsOf(phase.end, info));
    PhaseSlice slice{phase.name, begin, end, info.header.unitOf(phase), phase.ticks};
    if (end > 0)
      slices.emplace(begin, std::pair(slice, StringRef(phase.run)));
  }
  for (const auto &[begin, entry] : slices) {
    const auto &[slice, run] = entry;
    std::string name = run.empty() ? "host" : run.str() + ": host";
    trackFor(tracks, name, begin).phases.push_back(slice);
  }
  return tracks;
}
