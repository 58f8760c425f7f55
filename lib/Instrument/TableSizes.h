//===- TableSizes.h - Tells how large tables are --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operation 5 of `builtin.heap` reports the elements of a table if they have changed since the last
// report: around `table.grow`, and where others may have grown the table. Tables that cannot grow
// are never reported.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_TABLESIZES_H
#define WARPO_LIB_INSTRUMENT_TABLESIZES_H

#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Wasm/CodeWalker.h"

namespace warpo {

class TableSizes {
public:
  /// Called once, before the others. `heap` is `builtin.heap`.
  void declare(ModuleDeclarations &declarations, wasm::FunctionRef heap);

  /// Whether an instruction may make one of these tables grow.
  bool grows(const wasm::Instruction &instruction) const;
  /// Reports a table if its size has changed. `isFound`: none of the open calls has grown it.
  void tell(uint32_t table, bool isFound, wasm::CodeSequence &code) const;
  /// The same for all tables that the module imports or exports.
  void tellFound(wasm::CodeSequence &code) const;

private:
  struct Table {
    bool is64 = false;
    /// Its limits let it grow.
    bool mayGrow = false;
    /// Of those that may grow: the elements that were reported last.
    wasm::GlobalRef last = {};
    wasm::FunctionRef tellSize = {};
  };
  static Table read(ByteCursor &type);
  void find(const wasm::Module &module);
  void pushSize(uint32_t table, wasm::CodeSequence &code) const;
  wasm::FunctionRef addTellSize(ModuleDeclarations &declarations, uint32_t table,
                                wasm::FunctionRef heap) const;

  std::vector<Table> tables_;
  /// Those that others reach, by their indices.
  std::vector<uint32_t> reached_;
};

} // namespace warpo

#endif
