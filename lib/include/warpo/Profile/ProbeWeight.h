//===- ProbeWeight.h - How much of each function was its recording --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_PROBEWEIGHT_H
#define WARPO_PROFILE_PROBEWEIGHT_H

#include "warpo/Profile/Profile.h"
#include "warpo/Record/RecordFormat.h"
#include <algorithm>
#include <vector>

namespace warpo {

/// How many calls each context of a whole call tree made itself.
std::vector<uint64_t> countCallees(const Profile &profile);
/// The same for the contexts of makeFlatProfile().
std::vector<uint64_t> countCallees(const FunctionTotals &totals);

/// What recording took of a profile's times.
struct RecordingCost {
  ProbeCost probe;
  /// How much of that was subtracted from the times, over all entries: where less passed than
  /// recording takes on average, there was less to subtract. 0: the times are as recorded.
  double subtracted = 0;
  std::optional<TimeScale> scale;
};

/// Says of each function how much of its own time recording took; and, where that was subtracted,
/// adds the weight `probe`, a time: of what was subtracted from each context's own time. A begin is
/// recorded in the time of the function that begins, an end in that of its caller. The profile is
/// the one that `callees` were counted for, before any view, and counts calls.
void addProbes(Profile &profile, llvm::ArrayRef<uint64_t> callees, const RecordingCost &cost);

/// Of a function's own time, what recording took and all of it as recorded, in the unit of times.
struct ProbedTime {
  double probe = 0;
  double recorded = 0;

  double share() const { return recorded == 0 ? 0 : std::min(1.0, probe / recorded); }
};
/// That of each function: by the weights `time` and `probe`, and without the latter by
/// ProfileFunction::probeShare. Empty for a profile without times.
std::vector<ProbedTime> probedTimes(const Profile &profile);

/// The function with the most own time, and its share of all functions' own time, from 0 to 1.
struct HottestFunction {
  FunctionIndex function = noFunction;
  double share = 0;
};
/// That of a profile with the weights `time` and `probe`, if trace points took `factor` times what
/// was subtracted; noFunction if nothing is left then.
HottestFunction hottestIf(const Profile &profile, double factor);

} // namespace warpo

#endif
