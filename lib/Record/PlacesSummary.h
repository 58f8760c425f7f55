//===- PlacesSummary.h - Source locations in a record's header ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_PLACESSUMMARY_H
#define WARPO_LIB_RECORD_PLACESSUMMARY_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Record/SourcePlaces.h"

namespace warpo {

/// Summarises source locations that were decoded from a block's `contents`.
SourcePlaces summarize(ModulePlaces places, llvm::StringRef contents);

} // namespace warpo

#endif
