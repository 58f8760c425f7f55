//===- CallSites.h - Where a function calls -------------------------------===//
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
  /// The index of the type that a call through a table or a reference names.
  uint32_t type = 0;
};

/// The calls of a function with code, in their order. Tail calls are left out: what they call is
/// recorded as called by the function's caller.
llvm::Expected<std::vector<CallSite>> callSitesOf(const wasm::Module &module, uint32_t function);

/// The first instruction of a function with code that calls anything, tail calls counted, as the
/// place of a call, whether it is one or not; nothing of a function that calls nothing.
llvm::Expected<std::optional<CallSite>> entryOfCaller(const wasm::Module &module,
                                                      uint32_t function);

} // namespace warpo

#endif
