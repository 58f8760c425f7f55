//===- Wasm2cNames.h - wasm2c's C names of functions ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_ORDER_WASM2CNAMES_H
#define WARPO_ORDER_WASM2CNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpo {

/// The names that wasm2c 1.0.32 gives to the functions with code, in the module's order. They do
/// not depend on the module's own name, so `--module-name` does not matter.
llvm::Expected<std::vector<std::string>> wasm2cFunctionNames(llvm::ArrayRef<uint8_t> module,
                                                             llvm::StringRef fileName);

} // namespace warpo

#endif
