//===- InstructionCounts.h - How often each instruction was executed ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_COUNTS_INSTRUCTIONCOUNTS_H
#define WARPO_COUNTS_INSTRUCTIONCOUNTS_H

#include "warpo/Counts/ModuleCounts.h"

namespace warpo {

/// Calls `visit` with each reachable instruction of a function, in the order of the code, and how
/// often it was executed. Leaves out what fuel does not count: `block`, `loop`, `else`, `end` and
/// `nop`.
void forEachReachable(const wasm::Module &module, const FunctionCounts &function,
                      llvm::function_ref<void(const wasm::Instruction &, uint64_t)> visit);

/// Calls `visit` with each such instruction of the module that was executed: its function, and how
/// often. The numbers add up to the fuel of the same run.
void forEachExecuted(const ModuleCounts &counts,
                     llvm::function_ref<void(uint32_t, const wasm::Instruction &, uint64_t)> visit);

} // namespace warpo

#endif
