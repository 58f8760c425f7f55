//===- MovedSwitches.h - Switches without the time of recording -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_MOVEDSWITCHES_H
#define WARPO_RECORD_MOVEDSWITCHES_H

#include "warpo/Record/ProbeSubtraction.h"

namespace warpo {

/// The switches of a record, in its order, with the times they have once `subtraction` has moved
/// the entries around them. Reads `subtraction` to its end; its reader must have declared all
/// switches before the first entry.
llvm::Expected<std::vector<RecordedSwitch>> movedSwitches(ProbeSubtraction &subtraction);

} // namespace warpo

#endif
