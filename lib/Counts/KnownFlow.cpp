//===- KnownFlow.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "KnownFlow.h"

using namespace llvm;
using namespace warpo;

// Calls `use` with each sum that a count is in.
template <typename Use> void KnownFlow::forEachSum(uint32_t number, Use use) {
  if (number >= edges()) {
    uint32_t run = number - edges();
    use(sums_[2 * run]);
    use(sums_[2 * run + 1]);
    return;
  }
  auto [from, to] = graph_->edges[number];
  if (to != FlowEdge::outside)
    use(sums_[2 * to]);
  if (from != FlowEdge::outside)
    use(sums_[2 * from + 1]);
}

void KnownFlow::find(const FlowGraph &graph, ArrayRef<uint8_t> isKnownEdge) {
  graph_ = &graph;
  sums_.assign(2 * graph.runs.size(), {});
  isKnown_.assign(isKnownEdge.begin(), isKnownEdge.end());
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    isKnown_.push_back(!isFree(graph, run));
  for (uint32_t number = 0; number != isKnown_.size(); ++number)
    if (!isKnown_[number])
      forEachSum(number, [&](Sum &sum) {
        ++sum.unknown;
        sum.numbers += number;
      });
  for (const Sum &sum : sums_)
    if (sum.unknown == 1)
      know(sum.numbers);
}

void KnownFlow::know(uint32_t number) {
  learnt_.push_back(number);
  while (!learnt_.empty()) {
    uint32_t next = learnt_.back();
    learnt_.pop_back();
    if (isKnown_[next])
      continue;
    isKnown_[next] = true;
    forEachSum(next, [&](Sum &sum) {
      sum.numbers -= next;
      if (--sum.unknown == 1)
        learnt_.push_back(sum.numbers);
    });
  }
}
