//===- ExceptionForms.h - Which form of exceptions to write ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_EXCEPTIONFORMS_H
#define WARPO_LIB_INSTRUMENT_EXCEPTIONFORMS_H

#include "warpo/Instrument/ModuleInstrumenter.h"

namespace warpo {

/// Whether what it calls may throw, as far as the module shows that.
bool mayThrow(const wasm::Module &module);

/// Calls `write` with the form of exceptions that the module is to have. What form it uses itself
/// is in `statistics` when it has been written: if it is another one, `write` is called again.
llvm::Error writeInForm(Unwinding unwinding, llvm::StringRef fileName,
                        const wasm::EditStatistics &statistics,
                        llvm::function_ref<llvm::Error(wasm::ExceptionForm)> write);

} // namespace warpo

#endif
