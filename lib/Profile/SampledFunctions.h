//===- SampledFunctions.h - Matches functions of samples and of a trace ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_SAMPLEDFUNCTIONS_H
#define WARPO_LIB_PROFILE_SAMPLEDFUNCTIONS_H

#include "warpo/Profile/SampledTime.h"

namespace warpo {

struct MatchedSamples {
  /// By function of `sampled`, the one of `traced`, or noFunction.
  std::vector<FunctionIndex> functions;
  /// See SampledTime.
  std::string otherModules;
};

/// Matches like withSampledTime(). Fails if no function matches, or if the profiles are from
/// different builds.
llvm::Expected<MatchedSamples> matchSampledFunctions(ProfileOfModules traced,
                                                     ProfileOfModules sampled);

} // namespace warpo

#endif
