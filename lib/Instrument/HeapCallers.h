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

/// The functions that are in `allocators`, grow a memory or a table, call an imported function or a
/// function by reference, or call any of these, directly or indirectly. Includes imported
/// functions, as they may call the module.
llvm::Expected<llvm::BitVector> findHeapCallers(const wasm::Module &module,
                                                llvm::BitVector allocators);

} // namespace warpo

#endif
