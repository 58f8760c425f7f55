//===- CallKinds.h - How functions are entered, told by their ids ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whatever refers to a function gets another one in its place, which sets a variable and calls the
// function; that takes the variable's marks and clears it. Between the two lies no code of the
// program: so the variable is never left over, whatever traps, throws, or comes from elsewhere.
// Direct calls, and functions that nothing refers to, cost nothing.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_CALLKINDS_H
#define WARPO_LIB_INSTRUMENT_CALLKINDS_H

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

class CallKinds {
public:
  /// Adds to the editor what tells kinds of those `functions` that are instrumented and that
  /// something refers to; references to those of telling() have to go to others that
  /// editReference() fills in. `keptImports`: the imported functions whose references stay as they
  /// are.
  static llvm::Expected<CallKinds> create(const wasm::Module &module, wasm::ModuleEditor &editor,
                                          llvm::ArrayRef<FunctionReport> functions,
                                          const llvm::BitVector &keptImports);

  /// Says of a function what its id is, and prepares `edit`, which is empty, for that.
  void prepare(const FunctionReport &function, FunctionSite &site, wasm::FunctionEdit &edit) const;
  void editReference(wasm::ReferenceEdit &edit) const;
  /// The functions that tell how they were entered.
  const llvm::BitVector &telling() const { return telling_; }
  /// The id that tells a call of the function through a reference.
  int32_t referencedId(const FunctionReport &function) const;

private:
  CallKinds(wasm::GlobalRef marks, llvm::BitVector telling)
      : marks_(marks), telling_(std::move(telling)) {}

  /// The marks of the call that is about to begin; else 0.
  wasm::GlobalRef marks_;
  /// By function.
  llvm::BitVector telling_;
};

} // namespace warpo

#endif
