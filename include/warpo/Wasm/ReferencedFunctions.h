//===- ReferencedFunctions.h - Which functions calls by reference may reach ---===//

#ifndef WARPO_WASM_REFERENCEDFUNCTIONS_H
#define WARPO_WASM_REFERENCEDFUNCTIONS_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/BitVector.h"

namespace warpo::wasm {

/// By function, whether it is exported or occurs in an element segment, or in what a table or a
/// global begins with. That are all that a reference can be made of: code may name no others.
llvm::Expected<llvm::BitVector> referencedFunctions(const Module &module);

} // namespace warpo::wasm

#endif
