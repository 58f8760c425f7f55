//===- BranchHints.h - What counts tell an optimising compiler ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The custom section of WebAssembly's proposal for branch hints: for an `if` or `br_if` whether its
// condition is likely to hold. V8 acts on it (by default since 2025): it lays all code that is only
// reached through the unlikely side out of the way, and its values in registers suffer for those of
// the rest. So none of that code may be frequent: behind a loop of many rounds, which is left
// rarely, may be another one.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COUNTS_BRANCHHINTS_H
#define WARPO_COUNTS_BRANCHHINTS_H

#include "warpo/Counts/ModuleCounts.h"
#include "warpo/Wasm/CodeHints.h"

namespace warpo {

inline constexpr llvm::StringLiteral branchHintSection = "metadata.code.branch_hint";

/// Which branches get one.
struct HintThresholds {
  /// How often a branch must have been executed.
  uint64_t leastExecutions = 64;
  /// The largest share of the rarer side, in percent: of all code that is only reached through it.
  unsigned rarePercent = 10;
};

struct BranchHints {
  wasm::CodeHints hints;
  /// Of `if` and `br_if` that were executed.
  uint64_t executedBranches = 0;
};

BranchHints findBranchHints(const ModuleCounts &counts, const HintThresholds &thresholds = {});

} // namespace warpo

#endif
