//===- OptimizedIndices.h - Where functions are after optimising ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_OPTIMIZEDINDICES_H
#define WARPO_LIB_INSTRUMENT_OPTIMIZEDINDICES_H

#include "warpo/Instrument/ModuleInstrumenter.h"

namespace warpo {

/// Sets the indices of `functions` in the optimised module as far as known: none for a function
/// that was removed or not instrumented. `original` is the module before instrumentation.
void findOptimizedIndices(const wasm::Module &original, const wasm::Module &optimized,
                          llvm::MutableArrayRef<FunctionReport> functions);

} // namespace warpo

#endif
