//===- DepthCut.h - Calls of a few levels ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_DEPTHCUT_H
#define WARPO_SLICE_DEPTHCUT_H

#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/StackLimit.h"

namespace warpo {

/// Hands on the outermost levels of calls. What lies deeper counts for the last level that stays,
/// or, with a function `leftOut`, is a call of that: for an output that counts such calls for
/// nobody.
class DepthCut : public ForwardingSink {
public:
  /// `levels` is 1 or more.
  DepthCut(uint32_t levels, std::optional<FunctionIndex> leftOut, const FunctionTable &functions,
           EventSink &next)
      : ForwardingSink(next), levels_(levels), leftOut_(leftOut), functions_(functions),
        limit_(levels) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error beside(const SideBatch &batch) override;

  /// Calls that are not handed on.
  uint64_t deeperCalls() const { return deeperCalls_; }

private:
  uint32_t levels_;
  std::optional<FunctionIndex> leftOut_;
  const FunctionTable &functions_;
  StackLimit limit_;
  /// Of each stream, how many calls are open.
  std::vector<uint64_t> depths_;
  uint64_t deeperCalls_ = 0;
  EventColumns made_;
  SideColumns beside_;
};

} // namespace warpo

#endif
