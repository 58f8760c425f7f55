//===- HeapFilter.h - Reports of sampled heaps that can be left out -------===//
// SPDX-License-Identifier: Apache-2.0
//
// A host that samples a heap needs one report in some thousands. Here the module decides by itself
// which: it counts down the bytes to the next sampled one, and keeps a table of cells in which
// sampled objects lie, by a hash of the address; docs/instrumented-module.md describes the exports.
// Until the host sets them, everything is reported.
//
// The cells are entries of a table, not bytes of a memory, as older engines have one memory only.
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
  bool hasCells() const { return table_.has_value(); }
  /// Appends to `code` what leaves an i32: whether an allocation is left out, which countDown()
  /// then takes account of. `pushSize` appends what pushes its size, an i64.
  void pushSkipsSize(llvm::function_ref<void()> pushSize, wasm::CodeSequence &code) const;
  void countDown(llvm::function_ref<void()> pushSize, wasm::CodeSequence &code) const;
  /// The same for an object: its address, an i64 on the stack, is taken off. Needs cells.
  void pushSkipsObject(wasm::CodeSequence &code) const;

private:
  llvm::Error addExports(ModuleDeclarations &declarations, wasm::FunctionRef heap);

  /// The bytes before the next sampled one, of which there are none until the host sets them.
  wasm::GlobalRef left_;
  std::optional<uint32_t> table_;
};

} // namespace warpo

#endif
