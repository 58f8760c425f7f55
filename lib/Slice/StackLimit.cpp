//===- StackLimit.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/StackLimit.h"

using namespace llvm;
using namespace warpo;

uint32_t StackLimit::within(ArrayRef<ResolvedStack> stacks, uint32_t stack) {
  if (entries_.empty())
    entries_.push_back({0, 0});
  // A parent has a smaller index.
  for (auto next = uint32_t(entries_.size()); next <= stack; ++next) {
    const Entry &parent = entries_[stacks[next].parent];
    bool fits = parent.frames < maxFrames_;
    entries_.push_back({parent.frames + 1, fits ? next : parent.within});
  }
  return entries_[stack].within;
}
