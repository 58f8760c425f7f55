//===- DepthLimit.h - Calls too deep for a viewer -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_DEPTHLIMIT_H
#define WARPO_OUTPUT_TIMELINE_DEPTHLIMIT_H

#include "warpo/Output/TimelineBackend.h"
#include "warpo/Support/Errors.h"

namespace warpo {

/// Folds the calls below a depth into one frame and counts them.
class DepthLimit {
public:
  /// What the frame is called.
  static constexpr llvm::StringLiteral deeperName = "(deeper calls)";

  enum class Show {
    call,
    /// The frame that stands for this call and all others as deep, opened by the first of them.
    deeper,
    nothing,
  };

  /// Of `maxDepth` levels calls are shown, and one more holds the frame of what lies deeper.
  explicit DepthLimit(uint64_t maxDepth) : maxDepth_(maxDepth) {}

  /// What to show of a begin or an end; `depth`, how many calls are open, is updated.
  Show take(EventKind kind, uint64_t &depth) {
    bool begins = kind == EventKind::begin;
    uint64_t level = depth + begins;
    depth = begins ? level : level - 1;
    if (LLVM_LIKELY(level <= maxDepth_))
      return Show::call;
    deeperCalls_ += begins;
    return level == maxDepth_ + 1 ? Show::deeper : Show::nothing;
  }

  /// Whether something can be shown within the calls that are open.
  bool hasRoom(uint64_t depth) const { return depth <= maxDepth_; }

  /// Tells how many calls were folded, if any; `reason` is a clause as in `Perfetto draws 512
  /// levels`.
  void addNote(TimelineSummary &summary, llvm::StringRef reason) const {
    if (deeperCalls_ > 0)
      summary.notes.push_back(countOf(deeperCalls_, "call") + " deeper than " +
                              std::to_string(maxDepth_) + " are shown as '" + deeperName.str() +
                              "': " + reason.str());
  }

private:
  uint64_t maxDepth_;
  uint64_t deeperCalls_ = 0;
};

} // namespace warpo

#endif
