//===- WaysOut.h - Where control may leave a module unseen ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Imported functions that are instrumented have thunks, which can tell. Besides these a call leaves
// the module if it names an imported function that is left out, or if it goes through a table or by
// a reference to a function of the host or of another module. Calls that name a function of the
// module cost nothing. Through a table that others may store in, those of the longest run of the
// module's own functions cost a comparison, and all others count as leaving; so do all calls by
// reference in a module that exchanges references with others.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_WAYSOUT_H
#define WARPO_LIB_INSTRUMENT_WAYSOUT_H

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

class WaysOut {
public:
  /// `tell` is what to do there, and leaves the operands as they are. `keptImports`: imported
  /// functions whose references are not those of their thunks.
  static llvm::Expected<WaysOut> create(const wasm::Module &module, wasm::ModuleEditor &editor,
                                        llvm::ArrayRef<FunctionReport> functions,
                                        const llvm::BitVector &keptImports,
                                        const wasm::CodeSequence &tell);

  /// What to insert at a call; null: nothing.
  const wasm::CallSiteEdit *at(const wasm::CallSite &site) const;
  /// Whether calls that name a function are among these.
  bool editsNamedCalls() const { return isUnseen_.any(); }

private:
  WaysOut() = default;

  /// By function: imported, left out, and no function that an instrumentation knows.
  llvm::BitVector isUnseen_;
  wasm::CallSiteEdit unseen_;
  /// Nothing for those that hold the module's own functions alone.
  std::vector<std::optional<wasm::CallSiteEdit>> tables_;
  /// Nothing if no reference of another module's functions can be had.
  std::optional<wasm::CallSiteEdit> references_;
};

} // namespace warpo

#endif
