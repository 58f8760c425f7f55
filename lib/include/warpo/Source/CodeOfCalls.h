//===- CodeOfCalls.h - Calls, and the cost of inlined code ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SOURCE_CODEOFCALLS_H
#define WARPO_SOURCE_CODEOFCALLS_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Wasm/Module.h"

namespace warpo {

/// Adds to the places of a module what only its code says: FunctionPlaces::sites and costs. `ids`
/// are those of the trace points of all its functions, 0 for a function without any. What is in
/// code that cannot be read is left out.
///
/// A trace shows the callee of a function without trace points below that one's caller, and what
/// such a function or the host calls could be many: so a call of it has no certain target. A call
/// of a function that ends in a tail call has its own target and any other.
void addCodeOfCalls(ModulePlaces &places, const wasm::Module &module, llvm::ArrayRef<int32_t> ids);

} // namespace warpo

#endif
