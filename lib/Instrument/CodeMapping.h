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

} // namespace warpo

#endif
