//===- ClockStops.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ClockStops.h"
#include "Interruptions.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/SectionId.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdlib>
#include <utility>

using namespace llvm;
using namespace warpo;

/// With fewer stretches, what a function usually takes is unknown.
static constexpr uint64_t leastStretches = 64;
/// With a larger share of the entries in waits, most of the program ran unmeasured.
static constexpr double mostEntries = 0.25;

bool ClockWaits::areMost() const { return entryShare_ > mostEntries; }

void ClockStops::add(const RecordBatch &batch, StreamIndex index, std::optional<TimeScale> scale) {
  if (!scale)
    return;
  slice_ = std::max<uint64_t>(1, scale->toCounts(sliceNanoseconds));
  if (index >= stacks_.size())
    stacks_.resize(index + 1);
  Stack &stack = stacks_[index];
  for (size_t i = 0; i < batch.size(); ++i) {
    int32_t id = batch.ids[i];
    uint64_t took = batch.times[i] - std::exchange(stack.lastTime, batch.times[i]);
    // The clock may have stood still up to where the recorder kept the thread.
    if (std::abs(id) == recordingId) {
      unmeasured_ += std::exchange(stack.entries, 0);
      continue;
    }
    ++entries_;
    ++stack.entries;
    if (std::exchange(stack.hasEntry, true)) {
      uint32_t open = stack.functions.innermost();
      if (took >= slice_) {
        longSteps_[{stack.functions.idOf(open), Log2_64(took)}] += stack.entries;
      } else {
        stack.stretches.resize(stack.functions.size());
        ++stack.stretches[open].number;
        stack.stretches[open].time += took;
      }
      if (took > 0)
        stack.entries = 0;
    }
    stack.functions.follow(id);
  }
}

ClockWaits ClockStops::waits() const {
  ClockWaits waits;
  if (entries_ == 0)
    return waits;
  DenseMap<int32_t, Stretches> functions;
  for (const Stack &stack : stacks_)
    for (uint32_t number = 0; number < stack.stretches.size(); ++number) {
      Stretches &sum = functions[stack.functions.idOf(number)];
      sum.number += stack.stretches[number].number;
      sum.time += stack.stretches[number].time;
    }
  uint64_t entries = unmeasured_;
  for (const auto &[step, count] : longSteps_) {
    const auto &[id, exponent] = step;
    Stretches usual = functions.lookup(id);
    // The host may wait for anything, and so may the program in its sections.
    if (id <= 0 || id >= firstSectionId || usual.number < leastStretches)
      continue;
    uint64_t average = std::min(usual.time / usual.number, slice_);
    uint64_t least = PowerOf2Ceil(std::max(slice_, longTimes * average));
    if (exponent < Log2_64(least))
      continue;
    waits.least_[id] = least;
    entries += count;
  }
  waits.entryShare_ = double(entries) / double(entries_);
  // The stretches without time in waits are counted as well.
  double measured = 1 - waits.entryShare_;
  for (const auto &[id, sum] : functions)
    if (sum.number > 0 && measured > 0)
      waits.usual_[id] =
          uint64_t(std::min(double(sum.time) / double(sum.number) / measured, double(slice_)) *
                   ProbeCost::partsOfCount);
  return waits;
}
