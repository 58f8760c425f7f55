//===- PhaseTracks.h - Phases of the host as tracks of a timeline ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_PHASETRACKS_H
#define WARPO_OUTPUT_TIMELINE_PHASETRACKS_H

#include "warpo/Output/TimelineBackend.h"

namespace warpo {

/// A phase, in nanoseconds; texts belong to the record.
struct PhaseSlice {
  llvm::StringRef name;
  uint64_t begin;
  uint64_t end;
  /// If empty, the amount is unknown.
  llvm::StringRef unit;
  uint64_t ticks;
};

/// Phases in order of time that do not overlap.
struct PhaseTrack {
  std::string name;
  std::vector<PhaseSlice> phases;
};

/// The phases of the record, which must have been read completely: one track per run, more if
/// phases are nested. Empty for a piece of a record and for a record without time. Clips at the
/// timeline's 0.
std::vector<PhaseTrack> phaseTracks(const TimelineInfo &info);

} // namespace warpo

#endif
