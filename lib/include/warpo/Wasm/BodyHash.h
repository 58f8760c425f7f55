//===- BodyHash.h - Recognises functions by their code --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_BODYHASH_H
#define WARPO_WASM_BODYHASH_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace warpo::wasm {

/// A hash of a body, from its local declarations on, that is stable across builds of a program: it
/// ignores the indices of functions, types and globals. So functions that differ only in their
/// callees have equal hashes. 0 for a body that cannot be read.
uint64_t hashBody(llvm::ArrayRef<uint8_t> body);

} // namespace warpo::wasm

#endif
