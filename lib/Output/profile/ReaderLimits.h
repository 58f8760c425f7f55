//===- ReaderLimits.h - What the readers of profiles cannot take ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PROFILE_READERLIMITS_H
#define WARPO_OUTPUT_PROFILE_READERLIMITS_H

#include "ContextList.h"

namespace warpo {

/// Readers in JavaScript round larger numbers.
inline constexpr uint64_t maxExactDouble = uint64_t(1) << 53;

/// A text for each weight whose total is larger than `limit`: `the total of time,
/// 9,007,199,254,740,993 ns, is <consequence>`.
std::vector<std::string> notesOfLargeTotals(const ContextList &list, uint64_t limit,
                                            llvm::StringRef consequence);

/// Cuts the contexts so that no stack is deeper than `maxDepth`, and all stacks, written out, hold
/// at most `maxFrames` frames. Returns a text if that took something away: `12 contexts below depth
/// 1,000 count as their callers there: <why>`.
std::vector<std::string> cutStacks(ContextList &list, uint32_t maxDepth, uint64_t maxFrames,
                                   llvm::StringRef why);

} // namespace warpo

#endif
