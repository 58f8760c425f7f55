//===- DiffWidths.h - A difference as flame graphs show it ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A context is as wide as the side on which it weighs more itself, and all that lies below it: so
// that what is new and what is gone have their places, and frames lie in their callers. Its colour
// tells how its weight, with all below it, has changed.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PROFILE_DIFFWIDTHS_H
#define WARPO_OUTPUT_PROFILE_DIFFWIDTHS_H

#include "warpo/Profile/ProfileDiff.h"

namespace warpo {

/// A profile that has the tree, the functions and the weights of the diff, with the widths as their
/// amounts. Names say which module a function is of where they do not tell by themselves.
Profile widthsOf(const ProfileDiff &diff);

/// The classes of flamegraph.css for a context whose inclusive weight has changed so.
std::string changeClasses(Presence presence, const Change &inclusive);

} // namespace warpo

#endif
