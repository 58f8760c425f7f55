//===- NestingReplay.h - Matches recorded entries with their stacks -------===//
// SPDX-License-Identifier: Apache-2.0
//
// For showing or checking entries as recorded, which is not visible from events. The rules are
// those of EventBuilder.
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

/// How an entry relates to the open calls of its stack.
struct NestedEntry {
  /// Index in the batch.
  size_t index;
  bool begins;
  /// False for an end without an open call.
  bool matched;
  /// noFunction for a trap, which is the cause of the next entry, an end.
  FunctionIndex function;
  /// The number of open calls around the one that begins or ends here.
  size_t depth;
  /// The calls also ended by this end because their own ends are missing; outermost first.
  llvm::ArrayRef<FunctionIndex> unwound;
  /// The innermost open call before an end, or noFunction if there is none.
  FunctionIndex top;
  /// A trap ended the call and those unwound with it.
  bool isTrapped = false;
};

class NestingReplay {
public:
  /// Both must outlive this; `header` is that of the batches' reader.
  NestingReplay(FunctionTable &functions, const RecordHeader &header)
      : functions_(functions), header_(header) {}

  /// Calls `onNote` and `onEntry` in the order of the batch.
  void replay(const RecordBatch &batch, llvm::function_ref<void(const RecordNote &)> onNote,
              llvm::function_ref<void(const NestedEntry &)> onEntry);

  /// The currently open calls of the stack that a stream stands for, outermost first.
  llvm::ArrayRef<FunctionIndex> openCalls(StreamIndex stack) const;

private:
  struct Stack {
    std::unique_ptr<EventBuilder> builder;
    std::vector<FunctionIndex> open;
    /// The number of traps directly before the next entry: at most two.
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
