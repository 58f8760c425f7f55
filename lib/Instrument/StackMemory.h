//===- StackMemory.h - The open calls of a module, in a memory of its own -===//
// SPDX-License-Identifier: Apache-2.0
//
// A function stores its id at its entry, behind those of the calls around it, and takes it away at
// its exits: no host is called for that. Before the host takes a sample or hears of a heap, and
// wherever it may get control, the module tells it by `builtin.leaveFrame` and `builtin.enterFrame`
// what has changed since it was told last. So what a host knows of the stack then is what it would
// know if each entry and exit were told, in whatever order the calls of several modules lie.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_STACKMEMORY_H
#define WARPO_LIB_INSTRUMENT_STACKMEMORY_H

#include "warpo/Instrument/Instrumentation.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

class StackMemory {
public:
  /// Called once, before the others. `otherOption`: for modules that this cannot serve, in
  /// messages.
  llvm::Error declare(ModuleDeclarations &declarations, llvm::StringRef otherOption);
  /// What is to be called in place of `builtin.sample`: it tells the host the stack first.
  wasm::FunctionRef addSample(ModuleDeclarations &declarations, wasm::FunctionRef sample) const;
  /// Appends to a function what tells the host the stack: without the innermost call where the
  /// i32 on the stack, which is taken off, is not 0.
  void tellAround(wasm::CodeSequence &code) const { code.call(tellAround_); }
  /// Appends to what stands at a function's entry and exits.
  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const;
  /// Appends what stands around a part of a function: for it the function is called, with this id.
  void begin(int32_t id, wasm::CodeSequence &code) const;
  void end(wasm::CodeSequence &code) const;
  /// Appends what tells the host what has changed, where control may leave the module.
  void tell(wasm::CodeSequence &code) const { code.globalGet(depth_).call(tell_); }
  /// See Instrumentation.
  void tellTrapped(wasm::CodeSequence &code, bool isOutermost) const;

private:
  void access(wasm::CodeSequence &code, uint8_t opcode, uint32_t offset) const;
  void pushAddress(wasm::GlobalRef position, wasm::CodeSequence &code) const;
  void addTell(ModuleDeclarations &declarations);
  void addTellAround(ModuleDeclarations &declarations);
  void addUnwind(ModuleDeclarations &declarations);
  /// Whether the host has control where the function has returned, or may have it.
  bool returnsToHost(const FunctionSite &site) const {
    return site.isImported || makesTailCalls_ || waysIn_.test(site.index);
  }

  uint32_t memory_ = 0;
  /// Where the next call goes, and how far the host knows the calls: in bytes.
  wasm::GlobalRef depth_, told_;
  wasm::FunctionRef enterFrame_, leaveFrame_;
  /// (i32 depth) -> (): tells the host what has changed; `depth_` is to be passed.
  wasm::FunctionRef tell_;
  /// The same of ends alone.
  wasm::FunctionRef tellEnds_;
  /// (i32) -> (): see tellAround().
  wasm::FunctionRef tellAround_;
  /// (i32 id, i32 begin, i32 step) -> (): a trap has ended the first call of this id from `begin`
  /// on.
  wasm::FunctionRef unwind_;
  /// By function: those that the host may call.
  llvm::BitVector waysIn_;
  /// Then any function may be what a function that the host called ends with.
  bool makesTailCalls_ = false;
};

} // namespace warpo

#endif
