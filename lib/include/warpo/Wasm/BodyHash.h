//===- BodyHash.h - Knows a function again by its code --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_BODYHASH_H
#define WARPO_WASM_BODYHASH_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace warpo::wasm {

/// A hash of a body, from its local declarations on, that is the same in another build of the
/// program: what the code does counts, where functions, types and globals stand does not. So
/// functions that differ in nothing but whom they call have the same. 0 for a body that cannot be
/// read.
uint64_t hashBody(llvm::ArrayRef<uint8_t> body);

} // namespace warpo::wasm

#endif
