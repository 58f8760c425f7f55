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
// of the functions that may be called there reports a frame. Around calls of allocators that are
// alike, which report themselves and within which only growth may be reported, another global has
// the id: the allocator passes it on with its report.
//
// Frames that are reported at entries and exits, or behind a test, are pending at first: another
// global has the id, until the next frame is about to begin, or the host is about to be called. If
// none of this happens, the frame is never reported: reports of allocators pass it on.
//
// The innermost frames of a stack are these, outermost first: the pending one, the caller that an
// allocator passes on, and the late one.
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
#include "llvm/ADT/DenseMap.h"

namespace warpo {

class FramesAtCalls {
public:
  /// When the frame of a function is reported around one of its calls.
  enum class When : uint8_t {
    always,
    /// The same; the host may be called.
    byReference,
    /// Not before another one is.
    late,
    /// The same, but for the allocator's own report, which passes the frame on.
    byAllocator
  };

  /// Called once, before the others. `callers`, by function: findHeapCallers() of `allocators`.
  /// `mayPassOn`: allocators may pass on frames, and frames may be pending.
  llvm::Error find(const ModuleFacts &module, const llvm::BitVector &callers,
                   const llvm::BitVector &allocators, bool mayPassOn);
  bool has(uint32_t function) const { return function < ids_.size() && ids_[function] != 0; }

  /// The code that a test at the begin of a function may pass over, if all calls that may report
  /// are in it. The function's frame is reported around this part, which is not left before its
  /// end.
  struct Part {
    const uint8_t *begin = nullptr, *end = nullptr;
    int32_t id = 0;
  };
  /// Null if the frame is reported around the whole function, or around its calls.
  const Part *behindTest(uint32_t function) const {
    auto part = parts_.find(function);
    return part == parts_.end() ? nullptr : &part->second;
  }
  /// Appends the code to insert into such a function: `before` and `behind` append to the code
  /// around its calls the report for the function with this id.
  using Report = llvm::function_ref<void(int32_t id, When when, wasm::CodeSequence &)>;
  void insert(const wasm::Module &module, uint32_t function, Report before, Report behind,
              wasm::CodeInsertions &insertions) const;
  /// Whether any frame may be late.
  bool anyMayBeLate() const { return growing_.any(); }
  /// Whether a frame may be late when a function reports its own.
  bool comesBehindLate(uint32_t function) const {
    return function < growing_.size() && growing_.test(function);
  }
  /// Whether any allocator passes on frames.
  bool anyPassesOn() const { return passing_.any(); }
  /// Whether an allocator passes on its caller's frame.
  bool passesOn(uint32_t function) const {
    return function < passing_.size() && passing_.test(function);
  }
  /// Whether an instruction of this function calls such an allocator, and the function has reported
  /// its own frame.
  bool passesNothing(uint32_t function, const wasm::Instruction &instruction) const;
  /// Whether any frame may be pending.
  bool anyPends() const { return pending_.any(); }
  /// Whether the frame of a function that does not have it at calls may be pending.
  bool pends(uint32_t function) const {
    return function < pending_.size() && pending_.test(function);
  }
  /// Whether the host may call a function that may report something. Then all frames have been
  /// reported, except those that a trap or an exception has left, and those of a function whose
  /// report the host handles. The latter are set aside for the call, and lost if that ends by a
  /// trap or an exception which nothing catches here.
  bool isWayIn(uint32_t function) const {
    return function < waysIn_.size() && waysIn_.test(function);
  }
  /// Whether a pending frame has to be reported before an instruction of a function that does not
  /// report its frames around calls.
  bool endsPending(uint32_t function, const wasm::Instruction &instruction) const;
  /// Whether an instruction may call the host, which may leave a pending frame, and that call is
  /// not reported.
  bool mayLeavePending(const wasm::Instruction &instruction) const;
  /// Whether no frame is late before an instruction of this function, which reports its own frame
  /// at its entry, but may be later: a trap or an exception that the host has caught may have left
  /// one.
  bool endsLate(uint32_t function, const wasm::Instruction &instruction) const;

private:
  void findPending(const ModuleFacts &facts, const llvm::BitVector &waysIn,
                   const llvm::BitVector &growing, const llvm::BitVector &allocators,
                   llvm::ArrayRef<int32_t> ids);

  uint32_t imported_ = 0;
  llvm::BitVector callers_;
  /// By function: those of `callers_` that report nothing but growth. None if the host may call
  /// one of them.
  llvm::BitVector growing_;
  /// By function: allocators that may pass on frames. Each of their calls either has one, or
  /// passesNothing().
  llvm::BitVector passing_;
  /// By function: those of `callers_` that the host may call.
  llvm::BitVector waysIn_;
  /// By function: those whose frames may be pending; and those that are not instrumented, if there
  /// are any of the former.
  llvm::BitVector pending_, leftOut_;
  /// By function: its id if it has frames at calls, else 0.
  std::vector<int32_t> ids_;
  llvm::DenseMap<uint32_t, Part> parts_;
};

} // namespace warpo

#endif
