//===- PhaseWeights.h - What phases of the host weigh by themselves -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_PHASEWEIGHTS_H
#define WARPO_PROFILE_PHASEWEIGHTS_H

#include "warpo/Profile/Profile.h"
#include "warpo/Slice/PhaseRoots.h"

namespace warpo {

/// Gives each phase a context of its own: with its name, outermost, where what began in it already
/// stands if `profile` was made behind PhaseRoots. It weighs what was in nothing that `cover`
/// knows, and as many calls as there were phases of the name. With `only`, phases of which nothing
/// is known of that measure, their own or that of a call, get none; returns the names of these.
std::vector<std::string> addPhaseWeights(Profile &profile, const HostPhases &phases,
                                         const PhaseCover &cover, llvm::ArrayRef<Measure> measures,
                                         std::optional<MeasureIndex> only);

} // namespace warpo

#endif
