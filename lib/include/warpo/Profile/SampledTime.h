//===- SampledTime.h - Calls of a trace, time of samples ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A trace knows every call, but its times are those of the probes too. Samples of the program as it
// is know the time, within a statistical error. Of both a profile can have exact calls and time
// that no probe has touched.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_SAMPLEDTIME_H
#define WARPO_PROFILE_SAMPLEDTIME_H

#include "warpo/Profile/Profile.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// The weight that says of how many samples the time of a context is.
inline constexpr llvm::StringLiteral timeSamplesWeight = "time-samples";

struct SampledTime {
  Profile profile;
  /// In functions of modules that the trace leaves out, which counts for the callers that it has,
  /// and in what the host did outside of the program.
  uint64_t timeElsewhere = 0;
};

/// `traced` with the time of `sampled` in the place of its own. Functions are the same if their
/// names are, and, where both sides have several modules, the names of these; of several of one
/// name those with the same id. A context is found by its path; samples in one that the trace does
/// not have, as of a function that the engine has inlined, make a context without calls, and so do
/// those of functions of the host that the program has called, if `sampled` is of a record. Fails
/// if the two have no function in common, or `sampled` has no samples with time.
llvm::Expected<SampledTime> withSampledTime(const Profile &traced, const Profile &sampled);

/// How far the share of `part` among `all` samples is from the true one, on average: the standard
/// error of a binomial distribution, from 0 to 1.
double sampledShareError(uint64_t part, uint64_t all);

} // namespace warpo

#endif
