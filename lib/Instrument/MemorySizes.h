//===- MemorySizes.h - Tells how large memories are -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operation 3 of `builtin.heap` reports a memory's size if it has changed since the last report:
// around `memory.grow`, and where others may have grown the memory. When the first memory is
// reported for the first time, so are all others, which may never change.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_MEMORYSIZES_H
#define WARPO_LIB_INSTRUMENT_MEMORYSIZES_H

#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Wasm/CodeWalker.h"

namespace warpo {

class MemorySizes {
public:
  /// Added to an operation of `builtin.heap` if other threads may share the memory.
  static constexpr int32_t sharedFlag = 16;

  MemorySizes() = default;
  explicit MemorySizes(const wasm::Module &module);

  /// Whether there is a memory 0, which allocators use.
  bool hasFirst() const { return !memories_.empty(); }
  bool isFirst64() const { return hasFirst() && memories_.front().is64; }
  bool isFirstShared() const { return hasFirst() && memories_.front().isShared; }

  /// Called once, before the others. `heap` is `builtin.heap`.
  void declare(ModuleDeclarations &declarations, wasm::FunctionRef heap);

  bool grows(const wasm::Instruction &instruction) const;
  /// Appends a report of a memory if its size has changed. `isFound`: none of the open calls has
  /// grown it.
  void report(uint32_t memory, bool isFound, wasm::CodeSequence &code) const;
  /// The same for memory 0, if there is one, where its size rarely changes.
  void reportFirst(bool isFound, wasm::CodeSequence &code) const;

private:
  struct Memory {
    bool is64 = false;
    bool isShared = false;
    /// The last reported size, in pages.
    wasm::GlobalRef last = {};
    /// Takes the operation as its parameter.
    wasm::FunctionRef report = {};
  };
  void add(ByteCursor limits);
  void pushSize(uint32_t memory, wasm::CodeSequence &code) const;
  wasm::FunctionRef addReport(ModuleDeclarations &declarations, uint32_t memory,
                              wasm::FunctionRef heap) const;

  std::vector<Memory> memories_;
};

} // namespace warpo

#endif
