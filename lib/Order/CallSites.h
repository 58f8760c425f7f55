//===- CallSites.h - Calls in a function's code ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ORDER_CALLSITES_H
#define WARPO_LIB_ORDER_CALLSITES_H

#include "warpo/Wasm/Module.h"
#include <optional>

namespace warpo {

struct CallSite {
  /// From the first byte of the function's local declarations.
  uint32_t offset = 0;
  /// Nothing for a call through a table or a reference.
  std::optional<uint32_t> callee;
  /// The type index of a call through a table or a reference.
  uint32_t type = 0;
};

/// The calls of a function with code, in order. Without tail calls: their callees are recorded as
/// called by the function's caller.
llvm::Expected<std::vector<CallSite>> callSitesOf(const wasm::Module &module, uint32_t function);

/// The first instruction of a function with code, as if it were a call, provided that the function
/// makes any calls, including tail calls; nothing for a leaf function.
llvm::Expected<std::optional<CallSite>> entryOfCaller(const wasm::Module &module,
                                                      uint32_t function);

} // namespace warpo

#endif
