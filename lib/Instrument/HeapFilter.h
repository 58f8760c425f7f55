//===- HeapFilter.h - Reports of sampled heaps that can be left out -------===//
// SPDX-License-Identifier: Apache-2.0
//
// A host that samples a heap needs one report in some thousands. Here the module decides by itself
// which: it counts down the bytes to the next sampled one, and keeps a table of the regions and the
// cells in which sampled objects lie, by their addresses; docs/instrumented-module.md describes the
// exports. Until the host sets them, everything is reported.
//
// The regions and cells are entries of a table, not bytes of a memory, as older engines have one
// memory only; of external references, since engines look at what a function reference refers to.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_HEAPFILTER_H
#define WARPO_LIB_INSTRUMENT_HEAPFILTER_H

#include "warpo/Instrument/Instrumentation.h"

namespace warpo {

class HeapFilter {
public:
  /// Called once, before the others. `heap` is `builtin.heap`. Where `othersFree`, other threads
  /// may have sampled an object: frees and reallocations of all are reported.
  llvm::Error declare(ModuleDeclarations &declarations, wasm::FunctionRef heap, bool othersFree);

  /// Whether frees and reallocations are left out too.
  bool coversFrees() const { return table_.has_value(); }
  /// Begins, by `if` or `else`, the code for allocations that are reported; others it counts down.
  /// `pushSize` appends what pushes the size, an i64, small if it is less than 2^63.
  void beginReported(llvm::function_ref<void()> pushSize, bool isSmall,
                     wasm::CodeSequence &code) const;
  /// The same for a reallocation of the object whose address `pushOld` pushes. Needs the table.
  void beginReported(llvm::function_ref<void()> pushSize, llvm::function_ref<void()> pushOld,
                     bool is64, wasm::CodeSequence &code) const;
  /// Pushes an i32: whether the free of the object is reported whose address `pushAddress` pushes.
  /// Needs the table.
  void pushIsReported(llvm::function_ref<void()> pushAddress, bool is64,
                      wasm::CodeSequence &code) const;

private:
  void count(uint8_t operation, llvm::function_ref<void()> pushSize,
             wasm::CodeSequence &code) const;
  void pushIsNull(llvm::function_ref<void()> pushAddress, bool is64, int32_t shift, int32_t first,
                  int32_t count, wasm::CodeSequence &code) const;
  void pushFits(llvm::function_ref<void()> pushSize, wasm::CodeSequence &code) const;
  llvm::Error addExports(ModuleDeclarations &declarations, wasm::FunctionRef heap);

  /// The bytes before the next sampled one, of which there are none until the host sets them.
  wasm::GlobalRef left_;
  std::optional<uint32_t> table_;
};

} // namespace warpo

#endif
