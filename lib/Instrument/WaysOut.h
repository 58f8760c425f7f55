//===- WaysOut.h - Where control may leave a module unseen ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Imported functions that are instrumented have thunks, which can tell. Besides these a call leaves
// the module if it names an imported function that is left out, or if it goes through a table or by
// a reference to a function of the host or of another module. Calls that stay cost at most a
// comparison, those that name a function of the module nothing.
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
  /// The functions with calls that name functions of interest here.
  const llvm::BitVector &callers() const { return callers_; }

private:
  WaysOut() = default;

  llvm::BitVector callers_;
  /// By function: imported, left out, and no function that an instrumentation knows.
  llvm::BitVector isUnseen_;
  wasm::CallSiteEdit unseen_;
  /// Empty for those that hold the module's own functions alone.
  std::vector<wasm::CallSiteEdit> tables_;
  /// Empty if no reference of another module's functions can be had.
  wasm::CallSiteEdit references_;
};

} // namespace warpo

#endif
