//===- SampledFunctions.h - Functions of samples among those of a trace ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_SAMPLEDFUNCTIONS_H
#define WARPO_LIB_PROFILE_SAMPLEDFUNCTIONS_H

#include "warpo/Profile/SampledTime.h"

namespace warpo {

struct MatchedSamples {
  /// For each function of `sampled` the one of `traced`, or noFunction.
  std::vector<FunctionIndex> functions;
  /// As SampledTime has it.
  std::string otherModules;
};

/// As withSampledTime() has it. Fails if no function is matched, or if the two are of different
/// builds.
llvm::Expected<MatchedSamples> matchSampledFunctions(ProfileOfModules traced,
                                                     ProfileOfModules sampled);

} // namespace warpo

#endif
