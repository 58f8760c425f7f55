//===- PlacesSummary.h - What a record's header keeps of places -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_PLACESSUMMARY_H
#define WARPO_LIB_RECORD_PLACESSUMMARY_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Record/SourcePlaces.h"

namespace warpo {

/// A summary of places that were decoded from these contents of a block.
SourcePlaces summarize(ModulePlaces places, llvm::StringRef contents);

} // namespace warpo

#endif
