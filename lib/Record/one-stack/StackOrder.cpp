//===- StackOrder.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "StackOrder.h"

using namespace warpo;

void StackOrder::add(StreamIndex stream, const KeptEntry &next, uint64_t opens) {
  if (!next.begins() && !next.isLoss()) {
    ends_.insert(stream);
    return;
  }
  // Calls that end last come first.
  uint64_t rank = UINT64_MAX - opens;
  begins_.insert({rank, stream});
  if (next.isLoss() || next.end == next.time)
    instants_.insert({stream, rank});
}

StreamIndex StackOrder::choose() {
  auto takeBegin = [&](StreamIndex stream, uint64_t rank) {
    begins_.erase({rank, stream});
    instants_.erase({stream, rank});
    return stream;
  };
  if (!open_.empty() && !instants_.empty()) {
    auto [stream, rank] = *instants_.begin();
    return takeBegin(stream, rank);
  }
  if (!ends_.empty()) {
    auto innermost = open_.empty() ? ends_.end() : ends_.find(open_.top().stream);
    StreamIndex stream = innermost == ends_.end() ? *ends_.begin() : *innermost;
    ends_.erase(stream);
    return stream;
  }
  auto [rank, stream] = *begins_.begin();
  return takeBegin(stream, rank);
}

void StackOrder::pass(StreamIndex stream, const KeptEntry &entry) {
  if (entry.begins())
    open_.begin({stream, entry.id});
  else if (!entry.isLoss() && !entry.isTrap())
    open_.end([&](const Call &call) { return call.stream == stream && call.id == -entry.id; },
              [](const Call &) {});
}
