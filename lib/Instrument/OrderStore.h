//===- OrderStore.h - Where a module keeps first executions ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_ORDERSTORE_H
#define WARPO_LIB_INSTRUMENT_ORDERSTORE_H

#include "warpo/Instrument/Instrumentation.h"
#include <memory>

namespace warpo {

class OrderStore {
public:
  virtual ~OrderStore() = default;

  /// Called once, before instrument().
  virtual llvm::Error declare(ModuleDeclarations &declarations) = 0;
  /// Fills in the entry of a function: a test that only its first execution passes, code that
  /// stores the execution, and `report`.
  virtual void instrument(const FunctionSite &site, const wasm::CodeSequence &report,
                          wasm::FunctionEdit &edit) const = 0;
};

/// A bit for each function, 64 in a global, not visible to the host: the cheapest.
std::unique_ptr<OrderStore> makeOrderBits();
/// A bit for each function and a ring of the last `capacity` ids, in an exported memory.
std::unique_ptr<OrderStore> makeOrderMemory(uint32_t capacity);
/// A global for the rank of each function, and an exported function that returns them.
std::unique_ptr<OrderStore> makeOrderRanks();

} // namespace warpo

#endif
