//===- ProbeWeight.h - How much of each function was its recording --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_PROBEWEIGHT_H
#define WARPO_PROFILE_PROBEWEIGHT_H

#include "warpo/Profile/Profile.h"
#include "warpo/Record/RecordFormat.h"

namespace warpo {

/// How many calls each context of a whole call tree made itself.
std::vector<uint64_t> countCallees(const Profile &profile);
/// The same for the contexts of makeFlatProfile().
std::vector<uint64_t> countCallees(const FunctionTotals &totals);

/// Adds the weight `probe`, a time: of what was subtracted from each context's own time because
/// recording took it. A begin is recorded in the time of the function that begins, an end in that
/// of its caller. `share` is how much of the cost was subtracted, over all entries: where less
/// passed than recording takes on average, there was less to subtract. The profile is the one that
/// `callees` were counted for, before any view, and counts calls.
void addProbeWeight(Profile &profile, llvm::ArrayRef<uint64_t> callees, ProbeCost cost,
                    double share, std::optional<TimeScale> scale);

} // namespace warpo

#endif
