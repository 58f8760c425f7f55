//===- PhaseWeights.h - Self weights of the host's phases -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_PHASEWEIGHTS_H
#define WARPO_PROFILE_PHASEWEIGHTS_H

#include "warpo/Profile/Profile.h"
#include "warpo/Slice/PhaseRoots.h"

namespace warpo {

/// Gives each phase an outermost context with its name; calls that began in it are there already if
/// `profile` was made with PhaseRoots. Its self weight is the part of the phase not covered by
/// `cover`; its number of calls is the number of phases with that name. With `only`, a phase gets
/// no context if that measure is unknown for it and its calls; returns the names of such phases.
std::vector<std::string> addPhaseWeights(Profile &profile, const HostPhases &phases,
                                         const PhaseCover &cover, llvm::ArrayRef<Measure> measures,
                                         std::optional<MeasureIndex> only);

} // namespace warpo

#endif
