//===- CountArtifacts.h - What hosts know of counts -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_COUNTARTIFACTS_H
#define WARPO_WASM_COUNTARTIFACTS_H

#include "llvm/ADT/StringRef.h"

namespace warpo::wasm {

/// Artifacts of this format want to know in the middle of which calls their instance ended:
/// docs/counts.md.
inline constexpr llvm::StringLiteral countFileFormat = "counts";
/// What a host writes behind them that knows nothing of these calls.
inline constexpr auto unknownLeftCalls = llvm::StringLiteral::withInnerNUL("WARPOLFT\1\1\0\0");

} // namespace warpo::wasm

#endif
