//===- CounterExports.h - Makes counters accessible from C ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// wasm2c writes a function for the address of a global only if the global is exported.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_COUNTEREXPORTS_H
#define WARPO_LIB_ENGINE_NATIVE_COUNTEREXPORTS_H

#include "NativeUnit.h"

namespace warpo {

/// The export of a counter: one of the module, or the added one. Nothing if there is no such
/// counter, or if another export has the name.
std::optional<llvm::StringRef> exportOfCounter(const NativeUnit &unit, wasm::Counter counter);

/// The module with added exports of its counters.
llvm::Expected<llvm::SmallVector<uint8_t, 0>> exportCounters(const NativeUnit &unit);

} // namespace warpo

#endif
