//===- ReferencedFunctions.h - Possible targets of calls by reference -----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_REFERENCEDFUNCTIONS_H
#define WARPO_WASM_REFERENCEDFUNCTIONS_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/BitVector.h"

namespace warpo::wasm {

/// By function, whether it occurs in an element segment or in the initial value of a table or a
/// global or, with `exports`, is exported. References can be made to no others: code must not name
/// them.
llvm::Expected<llvm::BitVector> referencedFunctions(const Module &module, bool exports = true);

/// By function, whether one of `callers` (by function; imported ones have no code) calls it
/// directly.
llvm::Expected<llvm::BitVector> calledFunctions(const Module &module,
                                                const llvm::BitVector &callers);

/// Whether the module exchanges references that may lead to functions: by imported or exported
/// tables, globals or tags, or parameters or results of imported or exported functions. Only then
/// can code get functions of other modules or the host. External references are assumed to be
/// values of the host.
llvm::Expected<bool> exchangesReferences(const Module &module);

/// The function that runs on instantiation.
std::optional<uint32_t> startFunction(const Module &module);

/// Whether a call of this type through a table or a reference may reach the function.
bool mayReach(const Module &module, uint32_t type, uint32_t function);

} // namespace warpo::wasm

#endif
