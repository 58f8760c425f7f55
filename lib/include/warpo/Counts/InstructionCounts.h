//===- InstructionCounts.h - How often each instruction was executed ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_COUNTS_INSTRUCTIONCOUNTS_H
#define WARPO_COUNTS_INSTRUCTIONCOUNTS_H

#include "warpo/Counts/ModuleCounts.h"

namespace warpo {

/// Calls `visit` with each instruction of a function that something reaches and that fuel counts,
/// which is not the bare structure of code (`block`, `loop`, `else`, `end`) or `nop`, in the order
/// of the code, and how often it was executed.
void forEachReachable(const wasm::Module &module, const FunctionCounts &function,
                      llvm::function_ref<void(const wasm::Instruction &, uint64_t)> visit);

/// Calls `visit` with each of them in the module that was executed: its function, and how often.
/// All numbers together are the fuel of the same run.
void forEachExecuted(const ModuleCounts &counts,
                     llvm::function_ref<void(uint32_t, const wasm::Instruction &, uint64_t)> visit);

} // namespace warpo

#endif
