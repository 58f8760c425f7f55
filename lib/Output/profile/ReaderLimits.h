//===- ReaderLimits.h - What readers of profiles cannot handle ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PROFILE_READERLIMITS_H
#define WARPO_OUTPUT_PROFILE_READERLIMITS_H

#include "ContextList.h"

namespace warpo {

/// Readers in JavaScript round numbers above this.
inline constexpr uint64_t maxExactDouble = uint64_t(1) << 53;

/// A note for each weight whose total exceeds `limit`: `the total of time, 9,007,199,254,740,993
/// ns, is <consequence>`.
std::vector<std::string> notesOfLargeTotals(const ContextList &list, uint64_t limit,
                                            llvm::StringRef consequence);

/// Cuts the contexts so that no stack is deeper than `maxDepth`, and all stacks together have at
/// most `maxFrames` frames. Returns a note if contexts were removed: `12 contexts below depth 1,000
/// count as their callers there: <why>`.
std::vector<std::string> cutStacks(ContextList &list, uint32_t maxDepth, uint64_t maxFrames,
                                   llvm::StringRef why);

} // namespace warpo

#endif
