//===- OrderStore.h - Where a module keeps which functions have run -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_ORDERSTORE_H
#define WARPO_LIB_INSTRUMENT_ORDERSTORE_H

#include "warpo/Instrument/Instrumentation.h"
#include <memory>

namespace warpo {

class OrderStore {
public:
  virtual ~OrderStore() = default;

  /// Called once, before the other.
  virtual llvm::Error declare(ModuleDeclarations &declarations) = 0;
  /// Fills in the entry of a function: a test that only its first execution passes, what keeps
  /// that, and `tell`.
  virtual void instrument(const FunctionSite &site, const wasm::CodeSequence &tell,
                          wasm::FunctionEdit &edit) const = 0;
};

/// A bit each, 64 in a global, for the module alone: the cheapest.
std::unique_ptr<OrderStore> makeOrderBits();
/// A bit each and a ring of the last `capacity` ids, in a memory that is exported.
std::unique_ptr<OrderStore> makeOrderMemory(uint32_t capacity);
/// The rank of each in a global of its own, and an exported function that gives them.
std::unique_ptr<OrderStore> makeOrderRanks();

} // namespace warpo

#endif
