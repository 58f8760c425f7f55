//===- MovedSwitches.h - Switches where recording takes no time -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_MOVEDSWITCHES_H
#define WARPO_RECORD_MOVEDSWITCHES_H

#include "warpo/Record/ProbeSubtraction.h"

namespace warpo {

/// The switches of a record, in its order, at the times that they have once `subtraction` has moved
/// the entries around them. Reads it to its end; its reader must have declared all switches before
/// the first entry.
llvm::Expected<std::vector<RecordedSwitch>> movedSwitches(ProbeSubtraction &subtraction);

} // namespace warpo

#endif
