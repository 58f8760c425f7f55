//===- ProbeRange.h - What a trace point took, within which bounds --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_PROBERANGE_H
#define WARPO_RECORD_PROBERANGE_H

#include "warpo/Record/LeafCalls.h"
#include "warpo/Record/RecordFormat.h"

namespace warpo {

/// What an entry took in the program that ran, in counts: all 0 where the record does not say what
/// one takes in a quiet loop.
struct ProbeRange {
  double least = 0;
  double likely = 0;
  double most = 0;

  /// What a begin and an end are likely to take; `likely` is their mean.
  ProbeCost cost = {};

  /// `quiet` is what the record states.
  static ProbeRange of(ProbeCost quiet, const LeafCalls &calls);
};

/// Reads entries to their end for that.
llvm::Expected<ProbeRange> probeRange(RecordReader &reader);

} // namespace warpo

#endif
