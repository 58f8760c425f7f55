//===- CounterStore.h - Where counters of code are ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_COUNTERSTORE_H
#define WARPO_LIB_INSTRUMENT_COUNTERSTORE_H

#include "warpo/Instrument/Instrumentation.h"

namespace warpo {

class CounterStore {
public:
  virtual ~CounterStore() = default;

  /// Called once, before the other: makes so many counters of 64 bits, and says in the artifact how
  /// a host gets them.
  virtual llvm::Error declare(ModuleDeclarations &declarations, uint32_t counters,
                              wasm::Artifact &artifact) = 0;
  /// Code that adds to a counter what `number`, code too, puts on the stack: an i64.
  virtual void add(uint32_t counter, const wasm::CodeSequence &number,
                   wasm::CodeSequence &code) const = 0;
};

/// A global each: the fastest, but engines take a million.
std::unique_ptr<CounterStore> makeCounterGlobals();
/// In a memory of their own.
std::unique_ptr<CounterStore> makeCounterMemory();
/// In globals if the module has room for them and its memories are not shared; else in a memory.
/// Globals of a terminated thread are lost.
std::unique_ptr<CounterStore> makeFittingStore(const wasm::Module &module, uint32_t counters);

} // namespace warpo

#endif
