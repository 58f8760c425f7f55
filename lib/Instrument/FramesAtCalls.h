//===- FramesAtCalls.h - Functions whose frames are of use in few calls ---===//
// SPDX-License-Identifier: Apache-2.0
//
// A function that makes nothing grow needs no frame but while it calls another one within which
// something may be reported: what an allocator reports of itself has the stack without it. Many are
// called most to do something else, such as to append to a string that has room. They tell their
// frames around those calls, and nothing at their entry and exits.
//
// The stacks of what is reported are the same. Traps and exceptions that the module catches would
// need to know which frames are open, so modules that have them tell all frames at entries and
// exits; and so does what the host may call, at whose end all within it has ended, however. Their
// ids stand at their entries as unused constants, by which hosts find their names: optimisers
// remove these, so in what will be optimised all frames are told at entries, too.
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
  /// Appends what to insert into such a function: `before` and `behind` append to the code around
  /// its calls what tells of the function with this id.
  using Tell = llvm::function_ref<void(int32_t id, wasm::CodeSequence &)>;
  void insert(const wasm::Module &module, uint32_t function, Tell before, Tell behind,
              std::vector<wasm::CodeInsertion> &insertions) const;

private:
  llvm::BitVector callers_;
  /// By function: its id if it is one of these, else 0.
  std::vector<int32_t> ids_;
};

} // namespace warpo

#endif
