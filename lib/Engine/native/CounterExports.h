//===- CounterExports.h - How C reaches the counters of a module ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// wasm2c gives a function for the address of each global that is exported, and of no other.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_COUNTEREXPORTS_H
#define WARPO_LIB_ENGINE_NATIVE_COUNTEREXPORTS_H

#include "NativeUnit.h"

namespace warpo {

/// The export by which the C has a counter of the module: one of its own, or one that is added;
/// nothing if there is no such counter, or something else has the name.
std::optional<llvm::StringRef> exportOfCounter(const NativeUnit &unit, wasm::Counter counter);

/// The module with the exports that are added.
llvm::Expected<llvm::SmallVector<uint8_t, 0>> exportCounters(const NativeUnit &unit);

} // namespace warpo

#endif
