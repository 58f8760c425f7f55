//===- References.h - References to functions outside of code -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_REFERENCES_H
#define WARPO_LIB_WASM_REFERENCES_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpo::wasm {

/// Passes an element segment. The cursor stands at each constant expression, and at each index of a
/// function, when these are called, and they move it on.
void walkElement(ByteCursor &cursor, llvm::function_ref<void()> expression,
                 llvm::function_ref<void()> function);

/// Passes so many tables of their section; `expression` as above.
void walkTables(ByteCursor &cursor, uint32_t count, llvm::function_ref<void()> expression);

/// By table, whether it may hold functions. Empty if the module is malformed, which is reported
/// when it is copied.
std::vector<bool> tablesOfFunctions(const Module &module);

} // namespace warpo::wasm

#endif
