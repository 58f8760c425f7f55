//===- CodeMapping.h - Maps rewritten code to the original ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_CODEMAPPING_H
#define WARPO_LIB_INSTRUMENT_CODEMAPPING_H

#include "warpo/Places/CodeMap.h"
#include "warpo/Wasm/CodeMovements.h"
#include "warpo/Wasm/Module.h"

namespace warpo {

/// Maps code of a module with the bytes `rewritten` to code of `original`. The original's functions
/// must come in its order and before added ones, and `movements` must have all of them. The map is
/// empty if a module has no code or is too large for it.
CodeMap mapCode(const wasm::Module &original, llvm::ArrayRef<uint8_t> rewritten,
                const wasm::CodeMovements &movements);

/// The contents of the section `warpo.code`, with that map: docs/instrumented-module.md. `added` is
/// the number of functions added before those with code.
llvm::SmallVector<uint8_t, 0> encodeCodeSection(const wasm::Module &original,
                                                llvm::ArrayRef<uint8_t> rewritten,
                                                const wasm::CodeMovements &movements,
                                                uint32_t added);

} // namespace warpo

#endif
