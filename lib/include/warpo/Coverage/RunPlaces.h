//===- RunPlaces.h - A module's own code in the place of a source ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_COVERAGE_RUNPLACES_H
#define WARPO_COVERAGE_RUNPLACES_H

#include "warpo/Counts/ModuleCounts.h"
#include "warpo/Places/ModulePlaces.h"

namespace warpo {

/// For a module without debug information: its file is the source, each straight run of its code a
/// line, and the line's number the offset in the file at which the run begins.
ModulePlaces placesOfRuns(const ModuleCounts &counts);

} // namespace warpo

#endif
