//===- CountsProfile.h - Counts as a profile of instructions --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_COUNTSPROFILE_H
#define WARPO_LIB_TOOLING_COUNTSPROFILE_H

#include "warpo/Counts/ModuleCounts.h"
#include "warpo/Places/ModulePlaces.h"
#include "warpo/Profile/Profile.h"
#include "warpo/Support/SourcePaths.h"

namespace warpo {

/// A flat profile of instructions and calls: each function of the module is below the host, with
/// functions inlined into it as its callees. Counts do not know other callers. `withLines`: makes
/// separate entries for each executed line of a function.
Profile profileOfCounts(const ModuleCounts &counts, const ModulePlaces &places,
                        llvm::StringRef title, const std::optional<SourcePaths> &paths,
                        bool withLines);

} // namespace warpo

#endif
