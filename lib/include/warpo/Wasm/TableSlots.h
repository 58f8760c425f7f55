//===- TableSlots.h - What tables hold at the start -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_TABLESLOTS_H
#define WARPO_WASM_TABLESLOTS_H

#include "warpo/Wasm/CodeSequence.h"
#include "warpo/Wasm/Module.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpo::wasm {

/// Entries of a table that follow each other.
struct SlotRun {
  /// The constant expression of where the element segment begins, without its `end`.
  llvm::ArrayRef<uint8_t> base;
  /// Entries of the segment in front of the run, and in it.
  uint64_t first = 0;
  uint64_t count = 0;
};

struct TableSlots {
  /// Whether entries are counted in i64.
  bool is64 = false;
  bool holdsFunctions = false;
  /// Whether the host or other modules can store functions in it.
  bool isShared = false;
  /// Whether it holds what is no function of the module at the start: imported functions that
  /// `isOwn` does not take, or an initial value.
  bool holdsOthers = false;
  /// The longest run of functions with code of the module, in one segment.
  SlotRun own;

  /// Appends what makes an i32 of the index on the stack: whether it is in that run, which is not
  /// empty.
  void testOwn(CodeSequence &code) const;
};

/// Of all tables, imported ones first. `isOwn` is asked of imported functions.
llvm::Expected<std::vector<TableSlots>> readTableSlots(const Module &module,
                                                       llvm::function_ref<bool(uint32_t)> isOwn);

} // namespace warpo::wasm

#endif
