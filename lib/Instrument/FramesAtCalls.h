//===- FramesAtCalls.h - Functions whose frames are of use in few calls ---===//
// SPDX-License-Identifier: Apache-2.0
//
// A function that grows nothing itself needs a frame only during calls within which something may
// be reported (a report of an allocator has the stack without the allocator). Many such functions
// are mostly called to do something else, for example to append to a string that has room. They
// report their frames around those calls, and nothing at their entry and exits.
//
// Even then a frame may be of no use: most calls of what an allocator calls grow no memory. Around
// calls within which only growth may be reported, a frame is late: a global has its id, until one
// of the functions that may be called there reports a frame.
//
// The reported stacks are the same. But traps and caught exceptions require knowing which frames
// are open, so modules that have them report all frames at entries and exits. So do functions that
// the host may call, because their end has to end all calls within them. Functions with frames at
// calls have their ids as unused constants at their entries, by which hosts find their names.
// Optimisers remove these, so if the module will be optimised, all frames are reported at entries.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_FRAMESATCALLS_H
#define WARPO_LIB_INSTRUMENT_FRAMESATCALLS_H

#include "warpo/Instrument/Instrumentation.h"
#include "llvm/ADT/BitVector.h"

namespace warpo {

class FramesAtCalls {
public:
  /// Called once, before the others. `callers`, by function: findHeapCallers() of `allocators`.
  llvm::Error find(const ModuleFacts &module, const llvm::BitVector &callers,
                   llvm::BitVector allocators);
  bool has(uint32_t function) const { return function < ids_.size() && ids_[function] != 0; }
  /// Appends the code to insert into such a function: `before` and `behind` append to the code
  /// around its calls the report for the function with this id.
  using Report = llvm::function_ref<void(int32_t id, bool mayBeLate, wasm::CodeSequence &)>;
  void insert(const wasm::Module &module, uint32_t function, Report before, Report behind,
              wasm::CodeInsertions &insertions) const;
  /// Whether any frame may be late.
  bool anyMayBeLate() const { return growing_.any(); }
  /// Whether a frame may be late when a function reports its own.
  bool comesBehindLate(uint32_t function) const {
    return function < growing_.size() && growing_.test(function);
  }
  /// Whether no frame is late before an instruction of this function, which reports its own frame
  /// at its entry, but may be later: a trap or an exception that the host has caught may have left
  /// one.
  bool endsLate(uint32_t function, const wasm::Instruction &instruction) const;

private:
  llvm::BitVector callers_;
  /// By function: those of `callers_` that report nothing but growth. None if the host may call
  /// one of them.
  llvm::BitVector growing_;
  /// By function: its id if it has frames at calls, else 0.
  std::vector<int32_t> ids_;
};

} // namespace warpo

#endif
