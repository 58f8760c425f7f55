//===- HeapLog.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapLog.h"
#include "llvm/ADT/STLExtras.h"

using namespace warpo;

void HeapLog::add(const warpo_heap_change &change, llvm::ArrayRef<OpenCall> calls) {
  size_t depth = 0;
  auto isSame = [](const OpenCall &left, const OpenCall &right) {
    return left.id == right.id && left.module == right.module;
  };
  for (const OpenCall &call : llvm::reverse(calls)) {
    if (depth == frames_.size() || !isSame(frames_[depth].call, call)) {
      frames_.resize(depth);
      const warpo_sample_frame frame = {call.module, call.id, nullptr};
      uint64_t around = frames_.empty() ? 0 : frames_.back().stack;
      frames_.push_back({call, warpo_heap_stack(stream_, around, &frame)});
    }
    ++depth;
  }
  frames_.resize(depth);
  warpo_heap_changed(stream_, frames_.empty() ? 0 : frames_.back().stack, &change);
}
