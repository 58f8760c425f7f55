//===- HeapCallers.h - Functions in which the heap may change -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A heap report has the open calls as its stack. A function that cannot have a report within it
// needs no frames: that holds for most small functions, which are called most.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_HEAPCALLERS_H
#define WARPO_LIB_INSTRUMENT_HEAPCALLERS_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

namespace wasm {
struct Instruction;
}

/// Whether an instruction grows a memory or table, or may call any function.
bool growsOrCallsAny(const wasm::Instruction &instruction);

/// The functions that are in `allocators`, grow a memory or a table, call an imported function or a
/// function by reference, or call any of these, directly or indirectly. Includes imported
/// functions, as they may call the module. Without `byGrowth`, growing does not count; without
/// `byFailures` nor do calls directly in front of `unreachable`, which do not return.
llvm::Expected<llvm::BitVector> findHeapCallers(const wasm::Module &module,
                                                llvm::BitVector allocators, bool byGrowth = true,
                                                bool byFailures = true);

/// Those of `allocators` that may call any of them and return.
llvm::Expected<llvm::BitVector> findNestingAllocators(const wasm::Module &module,
                                                      const llvm::BitVector &allocators);

} // namespace warpo

#endif
