//===- OwnGlobals.h - The globals that a module defines -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_OWNGLOBALS_H
#define WARPO_WASM_OWNGLOBALS_H

#include "warpo/Wasm/Module.h"
#include <optional>

namespace warpo::wasm {

struct OwnGlobal {
  /// Nothing of one that is no number.
  std::optional<ValueType> type;
  bool isMutable = false;
  /// What it begins with, where that is an i32.const and nothing else.
  std::optional<int32_t> constant;
};

/// In their order: the first has the index of the first that is not imported. As many as can be
/// read; engines say what is wrong with the rest.
std::vector<OwnGlobal> readOwnGlobals(const Module &module);

/// How many globals are imported.
uint32_t importedGlobalCount(const Module &module);

} // namespace warpo::wasm

#endif
