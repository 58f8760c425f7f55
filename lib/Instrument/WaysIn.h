//===- WaysIn.h - Which functions the host may call -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_WAYSIN_H
#define WARPO_LIB_INSTRUMENT_WAYSIN_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

/// By function: whether it is exported, may be called by reference, is the start function, or is
/// called directly by one of `leftOut`, which the host may have called.
llvm::Expected<llvm::BitVector> findWaysIn(const wasm::Module &module,
                                           const llvm::BitVector &leftOut);

/// Whether any code makes tail calls: then any function may be the last one of a call from the
/// host.
bool makesTailCalls(const wasm::Module &module);

} // namespace warpo

#endif
