//===- DiffWidths.h - A difference as flame graphs show it ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The width of a context is the larger self weight of both sides plus the widths of its callees. So
// new and gone contexts are visible, and frames lie within their callers. Its colour shows how its
// inclusive weight has changed.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PROFILE_DIFFWIDTHS_H
#define WARPO_OUTPUT_PROFILE_DIFFWIDTHS_H

#include "warpo/Profile/ProfileDiff.h"

namespace warpo {

/// A profile with the tree, the functions and the weights of the diff, with widths as amounts.
/// Function names include the module where they are ambiguous.
Profile widthsOf(const ProfileDiff &diff);

/// The classes in flamegraph.css for a context with this change of inclusive weight.
std::string changeClasses(Presence presence, const Change &inclusive);

} // namespace warpo

#endif
