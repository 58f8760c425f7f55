//===- StackLimit.h - The outermost frames of samples' stacks -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_STACKLIMIT_H
#define WARPO_SLICE_STACKLIMIT_H

#include "warpo/Record/FunctionTable.h"

namespace warpo {

/// Finds the remainders of stacks that are too deep. A stack is processed once, however many
/// samples have it.
class StackLimit {
public:
  explicit StackLimit(uint32_t maxFrames) : maxFrames_(maxFrames) {}

  /// The stack with the outermost frames of `stack`, an index into `stacks`; `stack` itself if it
  /// is not too deep. `stacks` must be the same table in all calls, but may grow.
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
