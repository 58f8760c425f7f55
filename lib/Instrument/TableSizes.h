//===- TableSizes.h - Reports the sizes of tables -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operation 5 of `builtin.heap` reports the number of a table's elements if it has changed since
// the last report: around `table.grow`, and where other modules or the host may have grown the
// table. Tables that cannot grow are never reported.
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

  /// Whether an instruction may grow one of these tables.
  bool grows(const wasm::Instruction &instruction) const;
  /// Appends a report of a table if its size has changed. `isFound`: none of the open calls has
  /// grown it.
  void report(uint32_t table, bool isFound, wasm::CodeSequence &code) const;
  /// The same for all tables that the module imports or exports.
  void reportFound(wasm::CodeSequence &code) const;

private:
  struct Table {
    bool is64 = false;
    /// Whether its limits allow it to grow.
    bool mayGrow = false;
    /// The last reported number of elements, if it may grow.
    wasm::GlobalRef last = {};
    wasm::FunctionRef report = {};
  };
  static Table read(ByteCursor &type);
  void find(const wasm::Module &module);
  void pushSize(uint32_t table, wasm::CodeSequence &code) const;
  wasm::FunctionRef addReport(ModuleDeclarations &declarations, uint32_t table,
                              wasm::FunctionRef heap) const;

  std::vector<Table> tables_;
  /// The imported and exported ones that may grow, by index.
  std::vector<uint32_t> reached_;
};

} // namespace warpo

#endif
