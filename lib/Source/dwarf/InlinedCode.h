//===- InlinedCode.h - Maps code to inlined calls -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_SOURCE_DWARF_INLINEDCODE_H
#define WARPO_LIB_SOURCE_DWARF_INLINEDCODE_H

#include "warpo/Places/ModulePlaces.h"

namespace warpo {

/// Code of an inlined call within a function.
struct CallRange {
  uint64_t low = 0;
  uint64_t high = 0;
  uint32_t call = 0;
};

/// Resolves ranges, which may overlap in any way, up to the function's end. At each offset, the
/// range of the call with the highest number wins: that is the innermost, as calls follow the ones
/// around them.
std::vector<CallChange> changesOf(std::vector<CallRange> ranges, uint64_t end);

/// Drops calls that neither have code nor are around others that have.
void dropUnusedCalls(FunctionPlaces &function);

} // namespace warpo

#endif
