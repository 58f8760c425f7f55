//===- ProbeWeight.h - The share of recording in each function ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_PROBEWEIGHT_H
#define WARPO_PROFILE_PROBEWEIGHT_H

#include "warpo/Profile/Profile.h"
#include "warpo/Record/RecordFormat.h"
#include <algorithm>
#include <vector>

namespace warpo {

/// By context of a complete call tree, the number of calls made directly.
std::vector<uint64_t> countCallees(const Profile &profile);
/// The same for the contexts of makeFlatProfile().
std::vector<uint64_t> countCallees(const FunctionTotals &totals);

/// The cost of recording contained in a profile's times.
struct RecordingCost {
  ProbeCost probe;
  /// The fraction that was subtracted from the times, over all entries: where less time passed than
  /// recording takes on average, less was subtracted. 0: the times are as recorded.
  double subtracted = 0;
  std::optional<TimeScale> scale;
};

/// Sets for each function the share of recording in its self time. If that was subtracted, also
/// adds the weight `probe`: the time subtracted from each context's self time. A begin is recorded
/// in the time of the function that begins, an end in that of its caller. `profile` must be the one
/// that `callees` were counted for, before any view, and count calls.
void addProbes(Profile &profile, llvm::ArrayRef<uint64_t> callees, const RecordingCost &cost);

/// A function's self time as recorded, and the part taken by recording, in the unit of times.
struct ProbedTime {
  double probe = 0;
  double recorded = 0;

  double share() const { return recorded == 0 ? 0 : std::min(1.0, probe / recorded); }
};
/// By function: from the weights `time` and `probe` or, without the latter, from
/// ProfileFunction::probeShare. Empty for a profile without times.
std::vector<ProbedTime> probedTimes(const Profile &profile);

/// The function with the most self time, and its share of all functions' self time, from 0 to 1.
struct HottestFunction {
  FunctionIndex function = noFunction;
  double share = 0;
};
/// The hottest function of a profile with the weights `time` and `probe` if trace points had taken
/// `factor` times the subtracted time; noFunction if no time remains.
HottestFunction hottestIf(const Profile &profile, double factor);

} // namespace warpo

#endif
