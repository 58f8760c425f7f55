//===- CountArtifacts.h - Counts as known to hosts ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_COUNTARTIFACTS_H
#define WARPO_WASM_COUNTARTIFACTS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo::wasm {

/// Artifacts of this format include the calls that were open when their instance ended:
/// docs/counts.md.
inline constexpr llvm::StringLiteral countFileFormat = "counts";
/// Precedes those calls, which hosts write behind the counters: `left` in docs/counts.md.
inline constexpr llvm::StringLiteral leftCallsSignature = "WARPOLFT";
/// Precedes, behind those, the calls that were open at the begin of the counted part of a run.
inline constexpr llvm::StringLiteral begunCallsSignature = "WARPOBGN";
inline constexpr uint8_t leftCallsVersion = 1;

} // namespace warpo::wasm

#endif
