//===- Traps.h - Calls that a trap has ended ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A trap leaves no trace in a module: the host catches it, and calls again. So the module keeps, in
// a variable of its own, whether its code runs, below which call from the host (its root), or
// whether the host has control. A call from the host that finds code running tells that the root
// never returned.
//
// The host has two ways in: references, including exports, and the start; and two ways out:
// imported functions, and calls through references. All code for this stands there. Calls that name
// a function of the module cost nothing, with one exception: functions that are left out count as
// the host's while it has called them, so what they call is a root.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_TRAPS_H
#define WARPO_LIB_INSTRUMENT_TRAPS_H

#include "WaysOut.h"
#include "warpo/Instrument/ModuleInstrumenter.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

class Traps {
public:
  /// Adds to the editor what keeps the state. `keptImports`: the imported functions whose
  /// references stay as they are. The others are code of functions (i32) -> () that tell what has
  /// ended: see Instrumentation::tellTrapped(). `waysOut`: what else is to be done at calls,
  /// perhaps null; outlives this.
  static llvm::Expected<Traps> create(const wasm::Module &module, wasm::ModuleEditor &editor,
                                      llvm::ArrayRef<FunctionReport> functions,
                                      const llvm::BitVector &keptImports,
                                      const wasm::CodeSequence &tellInnermost,
                                      const wasm::CodeSequence &tellOutermost,
                                      const WaysOut *waysOut);

  /// The functions whose references have to go to others that editReference() fills in.
  const llvm::BitVector &waysIn() const { return waysIn_; }
  /// `rootId`: the id that tells calls by reference; 0 of a function that is left out.
  void editReference(const wasm::ReferenceSite &site, int32_t rootId,
                     wasm::ReferenceEdit &edit) const;
  /// What stands nearest to the call of an imported function: in its thunk, or around each call.
  void editThunk(wasm::FunctionEdit &edit) const;
  void editAround(wasm::FunctionEdit &edit) const;
  /// What stands around instructions that go to another stack, which goes on below the same root.
  const wasm::CallSiteEdit &aroundSwitches(uint32_t function) const {
    return switches_[isLeftOut_[function]];
  }
  /// `surroundsImports`: imported functions have no thunks.
  void editCalls(wasm::ModuleEditor &editor, bool surroundsImports) const;

private:
  Traps() = default;
  void tellCaught(wasm::CodeSequence &code) const;
  void prependWaysOut();
  llvm::Error findCallees(const wasm::Module &module);

  /// The root's id, shifted by two bits, and one of the states of Traps.cpp.
  wasm::GlobalRef running_;
  /// (i32) -> i32: tells what has ended, if it is known, of a value of `running_`, and returns what
  /// it is now that the host has control.
  wasm::FunctionRef trapped_;
  /// () -> (): code runs again where the host may have had control; by whether in a function that
  /// is left out.
  wasm::FunctionRef comeBack_[2];
  const WaysOut *waysOut_ = nullptr;
  /// By function.
  llvm::BitVector waysIn_;
  llvm::BitVector isLeftOut_;
  llvm::BitVector isImported_;
  /// Those that more than exports refers to.
  llvm::BitVector isCalledByReference_;
  /// By whether a function that is left out calls.
  struct TableCalls {
    wasm::CallSiteEdit call[2];
    wasm::CallSiteEdit tailCall[2];
  };
  std::vector<TableCalls> tables_;
  TableCalls references_;
  /// By whether the function is left out.
  wasm::CallSiteEdit switches_[2];
  wasm::CallSiteEdit toInstrumented_;
  wasm::CallSiteEdit tailCallToInstrumented_;
  wasm::CallSiteEdit tailCallToImport_;
};

} // namespace warpo

#endif
