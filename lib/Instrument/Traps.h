//===- Traps.h - Reports calls that a trap has ended ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module does not notice a trap: the host catches it, and calls again. So the module keeps a
// global that says whether its code runs or the host has control, and below which call from the
// host (the root) it runs. If a call from the host finds the state "code runs", that root never
// returned.
//
// There are two ways in: references, including exports, and the start function; and two ways out:
// imported functions and calls through references. All inserted code is there, and at handlers of
// exceptions. Direct calls of functions of the module cost nothing, with one exception: left-out
// functions count as the host's if the host has called them, so the functions that they call are
// roots.
//
// Several modules share a stack. A trap in one of them also shows when the host enters another one,
// by a call or by a return from a call of the host: nothing else can run then. With
// --traps-in=thread modules call the host there, which has the others report their traps.
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
  /// Adds the global and its functions to the editor. `keptImports` are imported functions whose
  /// references are not redirected. `reportInnermost` and `reportOutermost` are bodies of functions
  /// (i32) -> () that report the calls that have ended: see Instrumentation::reportTrapped().
  /// `enterModule`, if not null, is called where control enters the module from outside; the module
  /// then exports wasm::reportTrapExport.
  /// `waysOut`, which may be null, is other code to insert at calls; it must outlive this.
  static llvm::Expected<Traps>
  create(const wasm::Module &module, wasm::ModuleEditor &editor,
         llvm::ArrayRef<FunctionReport> functions, const llvm::BitVector &keptImports,
         const wasm::CodeSequence &reportInnermost, const wasm::CodeSequence &reportOutermost,
         std::optional<wasm::FunctionRef> enterModule, const WaysOut *waysOut);

  /// The functions whose references have to be redirected to thunks that editReference() fills in.
  const llvm::BitVector &waysIn() const { return waysIn_; }
  /// `rootId` is the id of a call by reference; 0 for a left-out function.
  void editReference(const wasm::ReferenceSite &site, int32_t rootId,
                     wasm::ReferenceEdit &edit) const;
  /// Add the code next to the call of an imported function: in its thunk, or around each call.
  void editThunk(wasm::FunctionEdit &edit) const;
  void editAround(wasm::FunctionEdit &edit) const;
  /// The code around instructions that switch to another stack, which runs below the same root.
  const wasm::CallSiteEdit &aroundSwitches(uint32_t function) const {
    return switches_[isLeftOut_[function]];
  }
  /// Whether any function has code at its handlers: an exception may have passed over that behind a
  /// way out.
  bool hasHandlers() const { return handlers_.any(); }
  void editHandlers(uint32_t function, wasm::CodeInsertions &insertions) const;
  /// The same where a handler of an instrumented function is its exit.
  void editExit(uint32_t function, wasm::FunctionEdit &edit) const;
  /// `surroundsImports`: imported functions have no thunks.
  void editCalls(wasm::ModuleEditor &editor, bool surroundsImports) const;

private:
  explicit Traps(const wasm::Module &module) : module_(&module) {}
  llvm::Error exportReport(wasm::ModuleEditor &editor) const;
  void callEnterModule(uint8_t before, bool isInternal, wasm::CodeSequence &code) const;
  void pushReported(wasm::CodeSequence &code) const;
  void reportCaught(wasm::CodeSequence &code) const;
  void prependWaysOut();
  llvm::Error findHandlers();
  llvm::Error findCallees(const wasm::Module &module);

  const wasm::Module *module_;
  /// The root's id, shifted left by two bits, and a State (Traps.cpp).
  wasm::GlobalRef running_;
  /// (i32) -> i32: takes a value of `running_`, reports the calls that have ended, if known, and
  /// returns the new value, which says that the host has control.
  wasm::FunctionRef trapped_;
  std::optional<wasm::FunctionRef> enterModule_;
  /// () -> (): code runs again where the host may have had control; index 1 is for left-out
  /// functions.
  wasm::FunctionRef comeBack_[2];
  const WaysOut *waysOut_ = nullptr;
  /// By function.
  llvm::BitVector waysIn_;
  llvm::BitVector isLeftOut_;
  llvm::BitVector isImported_;
  /// Those with handlers, and those whose exit is one.
  llvm::BitVector handlers_, handlersAtExit_;
  /// Functions that have references other than exports.
  llvm::BitVector isCalledByReference_;
  /// Index 1 is for calls by left-out functions.
  struct TableCalls {
    wasm::CallSiteEdit call[2];
    wasm::CallSiteEdit tailCall[2];
  };
  std::vector<TableCalls> tables_;
  TableCalls references_;
  /// Index 1 is for left-out functions.
  wasm::CallSiteEdit switches_[2];
  wasm::CallSiteEdit toInstrumented_;
  wasm::CallSiteEdit tailCallToInstrumented_;
  wasm::CallSiteEdit tailCallToImport_;
};

} // namespace warpo

#endif
