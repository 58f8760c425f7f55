//===- CallKinds.h - Marks ids with how functions were entered ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// References to a function are redirected to a thunk, which sets a global and calls the function.
// The function adds the global's marks to its id and clears the global. No code of the program runs
// between the two, so the global is never left set, whatever traps or throws. Direct calls, and
// functions without references, cost nothing.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_CALLKINDS_H
#define WARPO_LIB_INSTRUMENT_CALLKINDS_H

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

class CallKinds {
public:
  /// Adds the global to the editor. References to the functions of marked() have to be redirected
  /// to thunks that editReference() fills in. `keptImports` are imported functions whose references
  /// are not redirected.
  static llvm::Expected<CallKinds> create(const wasm::Module &module, wasm::ModuleEditor &editor,
                                          llvm::ArrayRef<FunctionReport> functions,
                                          const llvm::BitVector &keptImports);

  /// Sets the marks of `site`, and adds the code to `edit`, which is empty, that computes the id of
  /// a call.
  void prepare(const FunctionReport &function, FunctionSite &site, wasm::FunctionEdit &edit) const;
  void editReference(wasm::ReferenceEdit &edit) const;
  /// The instrumented functions with references: their ids have marks for how they were entered.
  const llvm::BitVector &marked() const { return marked_; }
  /// The id of a call of the function through a reference.
  int32_t referencedId(const FunctionReport &function) const;

private:
  CallKinds(wasm::GlobalRef marks, llvm::BitVector marked)
      : marks_(marks), marked_(std::move(marked)) {}

  /// The marks of the call that is about to begin, otherwise 0.
  wasm::GlobalRef marks_;
  /// By function.
  llvm::BitVector marked_;
};

} // namespace warpo

#endif
