//===- ProbeRange.h - The cost of a trace point, with bounds --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_PROBERANGE_H
#define WARPO_RECORD_PROBERANGE_H

#include "warpo/Record/ClockStops.h"
#include "warpo/Record/LeafCalls.h"
#include "warpo/Record/RecordFormat.h"

namespace warpo {

/// The cost of an entry in the running program, in counts; all 0 if the record does not state the
/// cost in a quiet loop.
struct ProbeRange {
  double least = 0;
  double likely = 0;
  double most = 0;

  /// The likely costs of a begin and an end; `likely` is their mean.
  ProbeCost cost = {};

  /// `quiet` is the cost stated by the record.
  static ProbeRange of(ProbeCost quiet, const LeafCalls &calls);
};

/// What recording did to the times of a record.
struct RecordingEffects {
  ProbeRange range;
  // The rest only of a clock that is coarser than a trace point.
  ClockWaits waits = {};
  /// What a function takes at least before it calls, is called back or returns, in 1/1024 of a
  /// count.
  uint64_t leastWork = 0;
  /// What an entry with a new time takes beyond its cost, in 1/1024 of a count.
  uint64_t step = 0;
};
/// Reads the record to its end.
llvm::Expected<RecordingEffects> recordingEffects(RecordReader &reader);

} // namespace warpo

#endif
