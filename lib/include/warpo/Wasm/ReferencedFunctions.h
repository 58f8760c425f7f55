//===- ReferencedFunctions.h - What calls by reference may reach ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_REFERENCEDFUNCTIONS_H
#define WARPO_WASM_REFERENCEDFUNCTIONS_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/BitVector.h"

namespace warpo::wasm {

/// By function, whether it occurs in an element segment, in what a table or a global begins with
/// or, with `exports`, is exported. That are all that a reference can be made of: code may name no
/// others.
llvm::Expected<llvm::BitVector> referencedFunctions(const Module &module, bool exports = true);

/// By function, whether the code of one of `callers` (by function; imported ones have none) calls
/// it by its name.
llvm::Expected<llvm::BitVector> calledFunctions(const Module &module,
                                                const llvm::BitVector &callers);

/// Whether references that may lead to functions go in or out: by tables, globals or tags that are
/// imported or exported, or parameters or results of imported or exported functions. Only then code
/// may come by functions of other modules or the host. External references are taken for values of
/// the host.
llvm::Expected<bool> exchangesReferences(const Module &module);

/// The function that runs when the module is instantiated.
std::optional<uint32_t> startFunction(const Module &module);

/// Whether a call through a table or a reference that names this type may reach a function.
bool mayReach(const Module &module, uint32_t type, uint32_t function);

} // namespace warpo::wasm

#endif
