//===- CountArtifacts.h - What hosts know of counts -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_COUNTARTIFACTS_H
#define WARPO_WASM_COUNTARTIFACTS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo::wasm {

/// Artifacts of this format want to know in the middle of which calls their instance ended:
/// docs/counts.md.
inline constexpr llvm::StringLiteral countFileFormat = "counts";
/// Hosts write these calls behind the counters: `left` of docs/counts.md.
inline constexpr llvm::StringLiteral leftCallsSignature = "WARPOLFT";
/// And behind those, of counts of a part of the run, the calls in the middle of which it began.
inline constexpr llvm::StringLiteral begunCallsSignature = "WARPOBGN";
inline constexpr uint8_t leftCallsVersion = 1;

} // namespace warpo::wasm

#endif
