//===- AllocatorCode.h - What allocators report ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The code that is inserted into allocators (Allocators.h). Each outermost call of one reports
// itself to `builtin.heap`: a free before it is done, the others once their result is known, so
// that the thread that gets a block reports it after the thread that freed it. Sizes of memories
// and tables that have changed are reported at the entry.
//
// A host that samples can have most reports left out (HeapFilter.h).
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_ALLOCATORCODE_H
#define WARPO_LIB_INSTRUMENT_ALLOCATORCODE_H

#include "Allocators.h"
#include "HeapFilter.h"
#include "MemorySizes.h"
#include "TableSizes.h"

namespace warpo {

/// Where an allocator's code finds a number of 32 or 64 bits.
struct KeptNumber {
  enum Place : uint8_t { parameter, variable, global } place = global;
  /// Of a parameter or variable.
  uint32_t index = 0;
  wasm::GlobalRef inGlobal = {};
  bool is64 = true;
};

/// What an allocator's code keeps between its begin and its end.
struct KeptCall {
  /// Variables: whether the call is the outermost one of those that are counted, and whether its
  /// result is reported. Without them there is nothing to distinguish.
  std::optional<uint8_t> isOutermost, isReported;
  /// The requested size; the address that it was given, or where the result goes; the result.
  KeptNumber size, old, result;
};

/// The frames around an allocator's report.
struct AllocatorFrames {
  /// Whether the allocator's own is on the reported stack.
  bool isReported = false;
  /// Its caller, to be added to the operation, or 0, if the caller's frame may not be reported yet.
  std::optional<wasm::GlobalRef> caller;
  /// The id of a call around the allocator and this caller that has not been reported, or 0, if
  /// there may be one; and what to call instead of `builtin.heap` to report that call before.
  std::optional<wasm::GlobalRef> pending;
  wasm::FunctionRef heapBehindPending = {};
};

class AllocatorCode {
public:
  /// Added to the operation where the innermost open call is the allocator itself, which belongs to
  /// no stack.
  static constexpr int32_t innermostIsAllocator = 8;
  /// From this bit on, an operation has the caller's id, if its frame was not reported: minus that
  /// of the first function, plus 1.
  static constexpr int32_t callerShift = 6;

  /// The arguments outlive this object.
  AllocatorCode(const MemorySizes &memories, const TableSizes &tables)
      : memories_(memories), tables_(tables) {}

  /// Called once, before the others. `import` is `builtin.heap`, and `heap` what is called in its
  /// place; `mayLeaveOut`: the host may have reports left out.
  llvm::Error declare(ModuleDeclarations &declarations, const Allocators &allocators,
                      wasm::FunctionRef import, wasm::FunctionRef heap, bool mayLeaveOut);

  /// The code of an allocator.
  void instrument(uint32_t function, const Allocator &allocator, const AllocatorFrames &frames,
                  wasm::FunctionEdit &edit) const;

  /// Appends what a trap needs: an allocator that has trapped is open no more.
  void reportTrapped(wasm::CodeSequence &code) const {
    if (open_)
      code.i32Const(0).globalSet(*open_);
  }

private:
  /// The reported operation, as numbered by HeapOperation.
  enum HeapCall : int32_t { reportsAllocation, reportsFree, reportsReallocation };
  void pushOperation(HeapCall call, const AllocatorFrames &frames, wasm::CodeSequence &code) const;
  KeptCall keepCall(uint32_t function, const Allocator &allocator, wasm::FunctionEdit &edit) const;
  KeptNumber keepParameter(uint32_t function, const Allocator &allocator,
                           AllocatorParameter::Role role, wasm::GlobalRef global,
                           wasm::FunctionEdit &edit) const;
  void reportFree(const Allocator &allocator, const AllocatorFrames &frames, const KeptCall &call,
                  wasm::CodeSequence &code) const;
  void beginAllocation(const Allocator &allocator, const KeptCall &call,
                       wasm::CodeSequence &code) const;
  void keepArguments(const Allocator &allocator, const KeptCall &call,
                     wasm::CodeSequence &code) const;
  bool isFiltered(const Allocator &allocator) const;
  void beginReported(const Allocator &allocator, wasm::CodeSequence &code) const;
  void reportResult(const Allocator &allocator, const AllocatorFrames &frames, const KeptCall &call,
                    wasm::CodeSequence &code) const;
  void enter(const KeptCall &call, wasm::CodeSequence &code) const;
  void leave(const KeptCall &call, wasm::CodeSequence &code) const;
  void pushResultAddress(const Allocator &allocator, const KeptCall &call,
                         wasm::CodeSequence &code) const;

  const MemorySizes &memories_;
  const TableSizes &tables_;
  const wasm::Module *module_ = nullptr;
  wasm::FunctionRef heap_;
  /// None where nothing is left out.
  std::optional<HeapFilter> filter_;
  /// By function: the allocators within which others may be called. Where no allocator does, none
  /// of their calls are counted.
  llvm::BitVector nesting_;
  /// Whether a call of these is open, if there are any.
  std::optional<wasm::GlobalRef> open_;
  /// What KeptCall has no variables for.
  wasm::GlobalRef size_, old_, result_;
};

} // namespace warpo

#endif
