//===- OptimizedIndices.h - Where functions are after optimising ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_OPTIMIZEDINDICES_H
#define WARPO_LIB_INSTRUMENT_OPTIMIZEDINDICES_H

#include "warpo/Instrument/ModuleInstrumenter.h"

namespace warpo {

/// Gives `functions` their indices in the optimised module, as far as they can be known: none to a
/// function that is no longer there, or that was not instrumented. `original` is the module before
/// it was instrumented.
void findOptimizedIndices(const wasm::Module &original, const wasm::Module &optimized,
                          llvm::MutableArrayRef<FunctionReport> functions);

} // namespace warpo

#endif
