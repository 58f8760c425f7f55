//===- StackLimit.h - The outermost frames of samples' stacks -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_STACKLIMIT_H
#define WARPO_SLICE_STACKLIMIT_H

#include "warpo/Record/FunctionTable.h"

namespace warpo {

/// Finds what is left of stacks that are too deep. A stack is looked at once, however many samples
/// name it.
class StackLimit {
public:
  explicit StackLimit(uint32_t maxFrames) : maxFrames_(maxFrames) {}

  /// The outermost frames of `stack`, which is one of `stacks`: itself if it has no more. `stacks`
  /// is the table of earlier calls, which may have grown.
  uint32_t within(llvm::ArrayRef<ResolvedStack> stacks, uint32_t stack);

private:
  struct Entry {
    uint32_t frames;
    uint32_t within;
  };
  uint32_t maxFrames_;
  std::vector<Entry> entries_;
};

} // namespace warpo

#endif
