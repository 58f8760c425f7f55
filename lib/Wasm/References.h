//===- References.h - References to functions outside of code -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_REFERENCES_H
#define WARPO_LIB_WASM_REFERENCES_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpo::wasm {

/// Walks over an element segment. Calls `expression` with the cursor at each constant expression
/// and `function` with the cursor at each index of a function; both have to move the cursor behind
/// it.
void walkElement(ByteCursor &cursor, llvm::function_ref<void()> expression,
                 llvm::function_ref<void()> function);

/// Walks over `count` tables of a table section; `expression` as above.
void walkTables(ByteCursor &cursor, uint32_t count, llvm::function_ref<void()> expression);

/// By table, whether it may hold functions. Empty if the module is malformed, which is reported
/// when the module is copied.
std::vector<bool> tablesOfFunctions(const Module &module);

} // namespace warpo::wasm

#endif
