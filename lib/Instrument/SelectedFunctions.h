//===- SelectedFunctions.h - Which functions have ids ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_SELECTEDFUNCTIONS_H
#define WARPO_LIB_INSTRUMENT_SELECTEDFUNCTIONS_H

#include "warpo/Instrument/ModuleInstrumenter.h"

namespace warpo {

/// Fills in the result's functions: all of the module, with ids for those that are instrumented.
llvm::Error selectFunctions(const wasm::Module &module, const InstrumentOptions &options,
                            InstrumentedModule &result);

/// Names by which records tell instrumented functions without names apart, and find them in another
/// build. Empty if there are none, or the name section is damaged.
wasm::SymbolFile numberedNames(const wasm::Module &module, const InstrumentedModule &result);

} // namespace warpo

#endif
