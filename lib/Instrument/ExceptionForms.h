//===- ExceptionForms.h - Which form of exceptions to write ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_EXCEPTIONFORMS_H
#define WARPO_LIB_INSTRUMENT_EXCEPTIONFORMS_H

#include "warpo/Instrument/ModuleInstrumenter.h"

namespace warpo {

/// Whether functions that the module calls may throw, as far as the module shows.
bool mayThrow(const wasm::Module &module);

/// Calls `write` with the form of exceptions to use. Afterwards `statistics` has the form that the
/// module itself uses; if that differs, `write` is called again.
llvm::Error writeInForm(Unwinding unwinding, llvm::StringRef fileName,
                        const wasm::EditStatistics &statistics,
                        llvm::function_ref<llvm::Error(wasm::ExceptionForm)> write);

} // namespace warpo

#endif
