//===- CountsProfile.h - Counts as a profile of instructions --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_COUNTSPROFILE_H
#define WARPO_LIB_TOOLING_COUNTSPROFILE_H

#include "warpo/Counts/ModuleCounts.h"
#include "warpo/Places/ModulePlaces.h"
#include "warpo/Profile/Profile.h"
#include "warpo/Support/SourcePaths.h"

namespace warpo {

/// A flat profile of instructions and calls: each function of the module stands below the host, and
/// what was inlined into it below itself. Who called a function is not known from counts.
/// `withLines`: a function is an entry of its own for each line of it that was executed.
Profile profileOfCounts(const ModuleCounts &counts, const ModulePlaces &places,
                        llvm::StringRef title, const std::optional<SourcePaths> &paths,
                        bool withLines);

} // namespace warpo

#endif
