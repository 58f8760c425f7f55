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
  /// The name of that frame.
  static constexpr llvm::StringLiteral deeperName = "(deeper calls)";

  enum class Show {
    call,
    /// The frame that stands for all deeper calls, begun by the first and ended by the last of
    /// them.
    deeper,
    nothing,
  };

  /// Calls are shown on `maxDepth` levels; one more holds the frame for deeper calls.
  explicit DepthLimit(uint64_t maxDepth) : maxDepth_(maxDepth) {}

  /// What to show of a begin or an end. Updates `depth`, the number of open calls.
  Show take(EventKind kind, uint64_t &depth) {
    bool begins = kind == EventKind::begin;
    uint64_t level = depth + begins;
    depth = begins ? level : level - 1;
    if (LLVM_LIKELY(level <= maxDepth_))
      return Show::call;
    deeperCalls_ += begins;
    return level == maxDepth_ + 1 ? Show::deeper : Show::nothing;
  }

  /// Whether anything can be shown within the open calls.
  bool hasRoom(uint64_t depth) const { return depth <= maxDepth_; }

  /// Adds a note if calls were folded; `reason` is a clause such as `Perfetto draws 512 levels`.
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
