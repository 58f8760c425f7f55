//===- InlinedCode.h - Which code is of which inlined call ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_SOURCE_DWARF_INLINEDCODE_H
#define WARPO_LIB_SOURCE_DWARF_INLINEDCODE_H

#include "warpo/Places/ModulePlaces.h"

namespace warpo {

/// Code of a function that is of an inlined call.
struct CallRange {
  uint64_t low = 0;
  uint64_t high = 0;
  uint32_t call = 0;
};

/// Resolves ranges, which may overlap in any way, up to the function's end. At each offset the
/// range of the call with the greatest number counts: the innermost, since calls come behind those
/// around them.
std::vector<CallChange> changesOf(std::vector<CallRange> ranges, uint64_t end);

/// Keeps the calls that have code of their own, and those around them.
void dropUnusedCalls(FunctionPlaces &function);

} // namespace warpo

#endif
