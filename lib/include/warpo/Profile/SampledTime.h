//===- SampledTime.h - Calls from a trace, time from samples --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A trace knows every call, but its times include the probes. Samples of the unmodified program
// know the time, with a statistical error. Combined, they give a profile with exact calls and
// undistorted time.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_SAMPLEDTIME_H
#define WARPO_PROFILE_SAMPLEDTIME_H

#include "warpo/Profile/Profile.h"
#include "llvm/Support/Error.h"
#include <map>

namespace warpo {

/// The weight with the number of samples behind each context's time.
inline constexpr llvm::StringLiteral timeSamplesWeight = "time-samples";

struct SampledTime {
  Profile profile;
  /// Time in functions of modules that the trace lacks, which is attributed to callers that it has,
  /// and time of the host outside of the program.
  uint64_t timeElsewhere = 0;
  /// If each side has a module that the other lacks: a sentence that names them. Otherwise empty.
  std::string otherModules;
};

/// Hashes of original modules, as in RecordedModule, by the modules' ids in a profile. Missing or
/// empty if unknown.
using ModuleHashes = std::map<uint64_t, std::string>;

/// A profile, and the hashes of its modules from its record.
struct ProfileOfModules {
  const Profile &profile;
  const ModuleHashes &hashes;
};

/// Replaces the time of `traced` by that of `sampled`. Modules are matched by hash, and their
/// functions by id, which comes from the function's index in the original module; sections are
/// matched by name. If the hash of a module is unknown on one side, functions are matched by name
/// and, if both sides have several modules, by the modules' names; if a name is ambiguous, by id.
/// Contexts are matched by path. Samples in a context that the trace lacks create a context without
/// calls, unless only one function without samples is missing in between: then the engine has
/// inlined it, or it is imported. Samples in functions of the host that the program called create
/// contexts too if `sampled` is from a record. Fails if the profiles have no function in common, if
/// two modules of one name have different hashes, or if `sampled` has no samples with time.
llvm::Expected<SampledTime> withSampledTime(ProfileOfModules traced, ProfileOfModules sampled);

/// The standard errors of the functions' shares of `time`, from 0 to 1. `samples` says how many
/// samples are behind each context's time. Those of a context count as equally long, those of
/// different contexts need not be: a few long samples say less than many short ones. If all samples
/// are equally long, these are the errors of a binomial distribution.
std::vector<double> sampledShareErrors(const Profile &profile, WeightIndex time,
                                       WeightIndex samples);

} // namespace warpo

#endif
