//===- InstructionCounts.h - How often each instruction was executed ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_COUNTS_INSTRUCTIONCOUNTS_H
#define WARPO_COUNTS_INSTRUCTIONCOUNTS_H

#include "warpo/Counts/ModuleCounts.h"

namespace warpo {

/// Calls `visit` with each instruction that was executed and that fuel counts, which is not the
/// bare structure of code (`block`, `loop`, `else`, `end`) or `nop`: its function, and how often.
/// All numbers together are the fuel of the same run.
void forEachExecuted(const ModuleCounts &counts,
                     llvm::function_ref<void(uint32_t, const wasm::Instruction &, uint64_t)> visit);

} // namespace warpo

#endif
