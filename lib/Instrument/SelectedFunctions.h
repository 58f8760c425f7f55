//===- SelectedFunctions.h - Which functions have ids ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_SELECTEDFUNCTIONS_H
#define WARPO_LIB_INSTRUMENT_SELECTEDFUNCTIONS_H

#include "warpo/Instrument/ModuleInstrumenter.h"

namespace warpo {

/// Fills in the result's functions: all functions of the module, with ids for instrumented ones.
llvm::Error selectFunctions(const wasm::Module &module, const InstrumentOptions &options,
                            InstrumentedModule &result);

/// Names for instrumented functions without names, which distinguish them in records and identify
/// them in another build. Empty if there are none or if the name section is damaged.
wasm::SymbolFile numberedNames(const wasm::Module &module, const InstrumentedModule &result);

} // namespace warpo

#endif
