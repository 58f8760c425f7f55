//===- HeapCallers.h - In which functions a heap may change ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reports of a heap have the open calls as their stack. A function within which nothing is reported
// needs no frames: most small functions, which are called most.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_HEAPCALLERS_H
#define WARPO_LIB_INSTRUMENT_HEAPCALLERS_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

/// By function: whether it is one of `allocators`, or its code makes a memory or a table larger, or
/// calls such a function, by whatever number of others, or one that is imported, or one by
/// reference, which may be any. Imported functions are among them: they may call the module.
llvm::Expected<llvm::BitVector> findHeapCallers(const wasm::Module &module,
                                                llvm::BitVector allocators);

} // namespace warpo

#endif
