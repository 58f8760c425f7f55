//===- DepthCut.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/DepthCut.h"

using namespace llvm;
using namespace warpo;

Error DepthCut::events(const EventBatch &batch) {
  if (depths_.size() <= batch.stream)
    depths_.resize(batch.stream + 1);
  uint64_t &depth = depths_[batch.stream];
  made_.start(ColumnSet(batch.counts));
  Counts counts = batch.counts.at(0);
  ArrayRef<LostRange> lost = batch.lost;
  auto takeLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position)) {
      if (depth < levels_) {
        made_.append(range);
      } else if (depth == levels_ && leftOut_) {
        made_.append(Event{range.from, *leftOut_, EventKind::begin},
                     maxOf(counts, range.countsFrom));
        made_.append(Event{range.to, *leftOut_, EventKind::endReturned},
                     maxOf(counts, range.countsTo));
      }
    }
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    takeLosses(i);
    Event event = batch.events[i];
    batch.counts.update(counts, i);
    bool begins = event.kind == EventKind::begin;
    uint64_t level = depth + begins;
    depth = begins ? level : level - 1;
    if (level > levels_) {
      deeperCalls_ += begins;
      // Everything within a left-out call is left out.
      if (level > uint64_t(levels_) + 1 || !leftOut_)
        continue;
      event.function = *leftOut_;
    }
    made_.append(event, counts);
  }
  takeLosses(batch.events.size());
  EventBatch kept = made_.batch(batch.stream);
  return kept.empty() ? Error::success() : next_.events(kept);
}

Error DepthCut::beside(const SideBatch &batch) {
  beside_.assign(batch.entries, [&](auto &entry) {
    if constexpr (requires { entry.stack; })
      entry.stack = limit_.within(functions_.stacks(), entry.stack);
    return true;
  });
  return next_.beside({batch.stream, beside_});
}
