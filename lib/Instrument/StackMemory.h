//===- StackMemory.h - The open calls of a module, in a memory of its own -===//
// SPDX-License-Identifier: Apache-2.0
//
// A function pushes its id at its entry and pops it at its exits, without calling the host. Before
// the host takes a sample or gets a heap report, and wherever it may get control, the module
// reports by `builtin.leaveFrame` and `builtin.enterFrame` what has changed since the last report.
// So the host then knows the same stack as if each entry and exit were reported, even if calls of
// several modules alternate on it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_STACKMEMORY_H
#define WARPO_LIB_INSTRUMENT_STACKMEMORY_H

#include "warpo/Instrument/Instrumentation.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

class StackMemory {
public:
  /// Called once, before the others. `otherOption` is suggested in the message for modules that
  /// this cannot serve.
  llvm::Error declare(ModuleDeclarations &declarations, llvm::StringRef otherOption);
  /// Adds the function to call instead of `builtin.sample`: it reports the stack first.
  wasm::FunctionRef addSample(ModuleDeclarations &declarations, wasm::FunctionRef sample) const;
  /// Appends a report of the stack, without the innermost call if the i32 on top of the stack,
  /// which it pops, is not 0.
  void reportAround(wasm::CodeSequence &code) const { code.call(reportAround_); }
  /// Appends the code for a function's entry and exits.
  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const;
  /// Bracket a part of a function that counts as a call with this id.
  void begin(int32_t id, wasm::CodeSequence &code) const;
  void end(wasm::CodeSequence &code) const;
  /// Appends a report of what has changed, for places where control may leave the module.
  void report(wasm::CodeSequence &code) const { code.globalGet(depth_).call(report_); }
  /// See Instrumentation.
  void reportTrapped(wasm::CodeSequence &code, bool isOutermost) const;

private:
  void access(wasm::CodeSequence &code, uint8_t opcode, uint32_t offset) const;
  void pushAddress(wasm::GlobalRef position, wasm::CodeSequence &code) const;
  void addReport(ModuleDeclarations &declarations);
  void addReportAround(ModuleDeclarations &declarations);
  void addUnwind(ModuleDeclarations &declarations);
  /// Whether the host may have control once the function has returned.
  bool returnsToHost(const FunctionSite &site) const {
    return site.isImported || makesTailCalls_ || waysIn_.test(site.index);
  }

  uint32_t memory_ = 0;
  /// The offset of the next call, and the offset up to which calls have been reported.
  wasm::GlobalRef depth_, reported_;
  wasm::FunctionRef enterFrame_, leaveFrame_;
  /// (i32 depth) -> (): reports what has changed; to be called with `depth_`.
  wasm::FunctionRef report_;
  /// The same, but only ends.
  wasm::FunctionRef reportEnds_;
  wasm::FunctionRef reportAround_;
  /// (i32 id, i32 begin, i32 step) -> (): a trap has ended the first call with this id from `begin`
  /// on.
  wasm::FunctionRef unwind_;
  /// By function: whether the host may call it.
  llvm::BitVector waysIn_;
  /// Whether there are tail calls: then any function may be the last one of a call from the host.
  bool makesTailCalls_ = false;
};

} // namespace warpo

#endif
