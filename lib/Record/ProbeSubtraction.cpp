//===- ProbeSubtraction.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeSubtraction.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

static constexpr uint64_t parts = ProbeCost::partsOfCount;
/// Costs beyond this are no costs of a trace point; a record may claim any.
static constexpr uint64_t maxCost = uint64_t(1) << 40;

double ProbeSubtraction::subtractedShare() const {
  return charged_ == 0 ? 0 : double(subtracted_) * double(parts) / charged_;
}

Expected<bool> ProbeSubtraction::next(RecordBatch &batch) {
  auto more = reader().next(batch);
  if (!more || !*more)
    return more;
  uint64_t beginCost = std::min(cost().begin, maxCost);
  uint64_t endCost = std::min(cost().end, maxCost);
  StreamIndex index = header().stackOf(batch.stream);
  if (index >= stacks_.size())
    stacks_.resize(index + 1);
  Stack &stack = stacks_[index];
  times_.resize(batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    uint64_t passed = stack.hasEntry ? batch.times[i] - stack.lastTime : 0;
    uint64_t moved = std::min(stack.cost / parts, passed);
    stack.offset += moved;
    charged_ += double(stack.cost / parts * parts);
    stack.cost = stack.cost % parts + (batch.ids[i] > 0 ? beginCost : endCost);
    stack.lastTime = batch.times[i];
    stack.hasEntry = true;
    times_[i] = batch.times[i] - stack.offset;
    subtracted_ += moved;
    recorded_ += passed;
  }
  batch.times = times_;
  return true;
}
