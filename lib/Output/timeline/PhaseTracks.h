//===- PhaseTracks.h - What the host did, as tracks of a timeline ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_PHASETRACKS_H
#define WARPO_OUTPUT_TIMELINE_PHASETRACKS_H

#include "warpo/Output/TimelineBackend.h"

namespace warpo {

/// A phase in nanoseconds; texts are the record's.
struct PhaseSlice {
  llvm::StringRef name;
  uint64_t begin;
  uint64_t end;
  /// Empty: the amount is unknown.
  llvm::StringRef unit;
  uint64_t ticks;
};

/// In the order of time; none begins before the one before has ended.
struct PhaseTrack {
  std::string name;
  std::vector<PhaseSlice> phases;
};

/// The phases of the record, once all of it has been read: a track for each run, more where phases
/// lie in each other. None of a piece of a record, and none in a record without time. What lies
/// before the timeline's 0 is cut off.
std::vector<PhaseTrack> phaseTracks(const TimelineInfo &info);

} // namespace warpo

#endif
