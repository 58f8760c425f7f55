//===- OwnGlobals.h - The globals that a module defines -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_OWNGLOBALS_H
#define WARPO_WASM_OWNGLOBALS_H

#include "warpo/Wasm/Module.h"
#include <optional>

namespace warpo::wasm {

struct OwnGlobal {
  /// Nothing if it is not a number.
  std::optional<ValueType> type;
  bool isMutable = false;
  /// The initial value if it is a single i32.const.
  std::optional<int32_t> constant;
};

/// The globals in order, starting with the first that is not imported. Stops at the first that
/// cannot be read; engines report what is wrong with it.
std::vector<OwnGlobal> readOwnGlobals(const Module &module);

/// The number of imported globals.
uint32_t importedGlobalCount(const Module &module);

} // namespace warpo::wasm

#endif
