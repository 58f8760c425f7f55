//===- CodeMapping.h - Where the code of a module has come from -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_CODEMAPPING_H
#define WARPO_LIB_INSTRUMENT_CODEMAPPING_H

#include "warpo/Places/CodeMap.h"
#include "warpo/Wasm/CodeMovements.h"
#include "warpo/Wasm/Module.h"

namespace warpo {

/// The way back from `rewritten`, in which the functions of the original come in its order and in
/// front of what was added. `movements` know of all of them. No runs if a module has no code, or is
/// too large for the map.
CodeMap mapCode(const wasm::Module &original, const wasm::Module &rewritten,
                const wasm::CodeMovements &movements);

/// Contents of the section `warpo.code`: docs/instrumented-module.md. `added`: functions in front
/// of the original's own, `functions` of which the original has.
llvm::SmallVector<uint8_t, 0> encodeCodeSection(const CodeMap &map, uint32_t added,
                                                uint32_t functions);

} // namespace warpo

#endif
