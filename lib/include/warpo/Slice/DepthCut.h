//===- DepthCut.h - Limits the depth of calls -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_DEPTHCUT_H
#define WARPO_SLICE_DEPTHCUT_H

#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/StackLimit.h"

namespace warpo {

/// Forwards the outermost levels of calls. Deeper calls become part of the last level or, if a
/// function `leftOut` is given, calls of that function, for outputs that attribute them to no
/// function.
class DepthCut : public ForwardingSink {
public:
  /// `levels` is 1 or more.
  DepthCut(uint32_t levels, std::optional<FunctionIndex> leftOut, const FunctionTable &functions,
           EventSink &next)
      : ForwardingSink(next), levels_(levels), leftOut_(leftOut), functions_(functions),
        limit_(levels) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error beside(const SideBatch &batch) override;

  /// The number of calls that were not forwarded.
  uint64_t deeperCalls() const { return deeperCalls_; }

private:
  uint32_t levels_;
  std::optional<FunctionIndex> leftOut_;
  const FunctionTable &functions_;
  StackLimit limit_;
  /// By stream, the number of open calls.
  std::vector<uint64_t> depths_;
  uint64_t deeperCalls_ = 0;
  EventColumns made_;
  SideColumns beside_;
};

} // namespace warpo

#endif
