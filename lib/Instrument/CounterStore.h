//===- CounterStore.h - Where counters of code are stored -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_COUNTERSTORE_H
#define WARPO_LIB_INSTRUMENT_COUNTERSTORE_H

#include "warpo/Instrument/Instrumentation.h"

namespace warpo {

class CounterStore {
public:
  virtual ~CounterStore() = default;

  /// Called once, before add(): makes `counters` counters of 64 bits, and describes in the artifact
  /// how a host gets them.
  virtual llvm::Error declare(ModuleDeclarations &declarations, uint32_t counters,
                              wasm::Artifact &artifact) = 0;
  /// Appends code that adds to a counter the i64 that the code of `number` pushes.
  virtual void add(uint32_t counter, const wasm::CodeSequence &number,
                   wasm::CodeSequence &code) const = 0;
  /// Appends code that adds 1.
  virtual void addOne(uint32_t counter, wasm::CodeSequence &code) const = 0;
  /// Inserts it in front of an instruction. Must outlive `insertions`.
  virtual void insertOne(uint32_t counter, uint32_t offset,
                         wasm::CodeInsertions &insertions) const {
    addOne(counter, insertions.at(offset));
  }
};

/// One global for each counter: the fastest, but engines allow a million globals.
std::unique_ptr<CounterStore> makeCounterGlobals();
/// In a memory of their own.
std::unique_ptr<CounterStore> makeCounterMemory();
/// In globals if the module has room for them and no shared memory, otherwise in a memory: globals
/// of a terminated thread are lost.
std::unique_ptr<CounterStore> makeFittingStore(const wasm::Module &module, uint32_t counters);

} // namespace warpo

#endif
