//===- RunPlaces.h - A module's own code as its source --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_COVERAGE_RUNPLACES_H
#define WARPO_COVERAGE_RUNPLACES_H

#include "warpo/Counts/ModuleCounts.h"
#include "warpo/Places/ModulePlaces.h"

namespace warpo {

/// Places for a module without debug information. The source is its own file; each straight run is
/// a line, whose number is the run's offset in the file.
ModulePlaces placesOfRuns(const ModuleCounts &counts);

} // namespace warpo

#endif
