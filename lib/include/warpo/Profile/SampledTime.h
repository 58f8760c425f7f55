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
#include <map>

namespace warpo {

/// The weight that says of how many samples the time of a context is.
inline constexpr llvm::StringLiteral timeSamplesWeight = "time-samples";

struct SampledTime {
  Profile profile;
  /// In functions of modules that the trace leaves out, which counts for the callers that it has,
  /// and in what the host did outside of the program.
  uint64_t timeElsewhere = 0;
  /// If each side has a module that the other lacks: a sentence that says which. Else empty.
  std::string otherModules;
};

/// Hashes of original modules, as in RecordedModule, by the ids that the modules have in a profile.
/// A module whose hash is unknown has none, or an empty one.
using ModuleHashes = std::map<uint64_t, std::string>;

/// A profile, and what its record says of its modules.
struct ProfileOfModules {
  const Profile &profile;
  const ModuleHashes &hashes;
};

/// `traced` with the time of `sampled` in the place of its own. Modules are the same if their
/// hashes are, and their functions if their ids are, which come from the functions' indices in the
/// original module; sections have names alone. If the hash of a module is unknown on one side,
/// functions are the same if their names are, and, where both sides have several modules, the names
/// of these; of several of one name those with the same id. A context is found by its path. Samples
/// in one that the trace does not have make a context without calls, unless but one function is
/// missing in between, in which no sample is: the engine has inlined it, or it is an imported one.
/// So do samples in functions of the host that the program has called, if `sampled` is of a record.
/// Fails if the two have no function in common, if two modules of one name have different hashes,
/// or if `sampled` has no samples with time.
llvm::Expected<SampledTime> withSampledTime(ProfileOfModules traced, ProfileOfModules sampled);

/// How far the share of `part` among `all` samples is from the true one, on average: the standard
/// error of a binomial distribution, from 0 to 1.
double sampledShareError(uint64_t part, uint64_t all);

} // namespace warpo

#endif
