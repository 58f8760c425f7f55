//===- NestingReplay.h - Where each entry stands on its stack -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For those who show or check entries as recorded, which events no longer tell: the rules are
// EventBuilder's.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SLICE_NESTINGREPLAY_H
#define WARPO_SLICE_NESTINGREPLAY_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/EventBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <vector>

namespace warpo {

/// What an entry is to the calls that are open on its stack.
struct NestedEntry {
  /// In its batch.
  size_t index;
  bool begins;
  /// False for an end whose call is not open.
  bool matched;
  /// noFunction for a trap, which says of the next entry, an end, how it came to be.
  FunctionIndex function;
  /// How many calls are open around the call that begins or ends here.
  size_t depth;
  /// The calls that an end takes with it, since their own ends are missing; outermost first.
  llvm::ArrayRef<FunctionIndex> unwound;
  /// The innermost open call before an end, or noFunction.
  FunctionIndex top;
  /// A trap took the call that ends, and those that are unwound.
  bool isTrapped = false;
};

class NestingReplay {
public:
  /// Both must outlive the replay; `header` is the one of the reader that the batches come from.
  NestingReplay(FunctionTable &functions, const RecordHeader &header)
      : functions_(functions), header_(header) {}

  /// Calls `onNote` and `onEntry` in the order of the batch.
  void replay(const RecordBatch &batch, llvm::function_ref<void(const RecordNote &)> onNote,
              llvm::function_ref<void(const NestedEntry &)> onEntry);

  /// The calls that are open now on the stack that a stream stands for, outermost first.
  llvm::ArrayRef<FunctionIndex> openCalls(StreamIndex stack) const;

private:
  struct Stack {
    std::unique_ptr<EventBuilder> builder;
    std::vector<FunctionIndex> open;
    /// How many stand in front of the next entry: two at most.
    uint8_t traps = 0;
  };
  Stack &stackOf(const RecordBatch &batch);

  FunctionTable &functions_;
  const RecordHeader &header_;
  RepairCounts repairs_;
  std::vector<Stack> stacks_;
};

} // namespace warpo

#endif
