//===- WaysOut.h - Calls that may leave the module ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Instrumented imported functions have thunks, which can report calls. Besides these, a call leaves
// the module if it is a direct call of a left-out imported function, or goes through a table or a
// reference to a function of the host or of another module. Direct calls of functions of the module
// cost nothing. If other modules or the host may store in a table, calls through it cost a
// comparison if they are within the longest run of the module's own functions, and all others count
// as leaving; so do all calls by reference in a module that exchanges references with others.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_WAYSOUT_H
#define WARPO_LIB_INSTRUMENT_WAYSOUT_H

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

class WaysOut {
public:
  /// `report` is the code to insert, which must not change the operands. `keptImports` are imported
  /// functions whose references do not go to their thunks.
  static llvm::Expected<WaysOut> create(const wasm::Module &module, wasm::ModuleEditor &editor,
                                        llvm::ArrayRef<FunctionReport> functions,
                                        const llvm::BitVector &keptImports,
                                        const wasm::CodeSequence &report);

  /// The code to insert at a call; null: none.
  const wasm::CallSiteEdit *at(const wasm::CallSite &site) const;
  /// Whether direct calls are among these.
  bool editsNamedCalls() const { return isUnseen_.any(); }

private:
  WaysOut() = default;

  /// The left-out imported functions, except those of `builtin`.
  llvm::BitVector isUnseen_;
  wasm::CallSiteEdit unseen_;
  /// Nothing for tables that only hold the module's own functions.
  std::vector<std::optional<wasm::CallSiteEdit>> tables_;
  /// Nothing if the module cannot have references to functions of others.
  std::optional<wasm::CallSiteEdit> references_;
};

} // namespace warpo

#endif
