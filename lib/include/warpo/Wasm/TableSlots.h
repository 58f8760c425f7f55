//===- TableSlots.h - Initial contents of tables --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_TABLESLOTS_H
#define WARPO_WASM_TABLESLOTS_H

#include "warpo/Wasm/CodeSequence.h"
#include "warpo/Wasm/Module.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpo::wasm {

/// Consecutive entries of a table.
struct SlotRun {
  /// The constant expression for the element segment's offset, without its `end`.
  llvm::ArrayRef<uint8_t> base;
  /// The run's first entry in the segment, and the number of its entries.
  uint64_t first = 0;
  uint64_t count = 0;
};

struct TableSlots {
  /// Whether indices are i64.
  bool is64 = false;
  bool holdsFunctions = false;
  /// Whether the host or other modules can store functions in it.
  bool isShared = false;
  /// Whether it initially contains anything but functions of the module: imported functions that
  /// `isOwn` rejects, or an initial value.
  bool holdsOthers = false;
  /// The longest run, within one segment, of functions with code.
  SlotRun own;

  /// Appends code that replaces the index on the stack by an i32: whether it is within `own`, which
  /// must not be empty.
  void testOwn(CodeSequence &code) const;
};

/// By table, imported ones first. `isOwn` is called for imported functions.
llvm::Expected<std::vector<TableSlots>> readTableSlots(const Module &module,
                                                       llvm::function_ref<bool(uint32_t)> isOwn);

} // namespace warpo::wasm

#endif
