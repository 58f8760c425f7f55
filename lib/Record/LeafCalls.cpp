//===- LeafCalls.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/LeafCalls.h"
#include "Interruptions.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

/// After so many calls a part of the batches is enough.
static constexpr uint64_t manyCalls = 1 << 20;
static constexpr uint64_t skippedBatches = 16;
// The next one and those of Interruptions.h were chosen on traces of four programs
// (docs/benchmarks.md, "What each way says of a program", names them and how far off the results
// are); no other program has confirmed them.

/// The functions with the shortest calls count until they have made a 20th of all calls: with
/// fewer, chance decides the mean; with more, functions that do work raise it.
static constexpr uint64_t partOfCalls = 20;

/// Of the program's own work between two trace points, at least.
static constexpr double leastWorkNanoseconds = 1;

void LeafCalls::add(const RecordBatch &batch, std::optional<TimeScale> scale) {
  if (calls_ > manyCalls && batches_++ % skippedBatches != 0)
    return;
  leastWork_ = scale ? leastWorkNanoseconds / scale->nanosecondsPerCount() : 0;
  uint64_t slice = scale ? scale->toCounts(sliceNanoseconds) : UINT64_MAX;
  for (size_t i = 1; i < batch.ids.size(); ++i) {
    int32_t id = batch.ids[i - 1];
    if (id <= 0 || id >= firstSectionId || batch.ids[i] != -id)
      continue;
    uint64_t took = batch.times[i] - batch.times[i - 1];
    Sum &sum = functions_[id];
    // So did those before the first short one: first calls may wait until they are compiled.
    if (sum.least / longTimes > took) {
      calls_ -= sum.calls;
      time_ -= double(sum.time);
      whole_ -= sum.calls;
      sum = Sum();
    }
    sum.least = std::min(sum.least, took);
    bool isLong = took / longTimes > sum.least;
    bool isInterrupted = isLong && took >= slice;
    (isInterrupted ? interruptedTime_ : time_) += double(took);
    whole_ += !isInterrupted;
    if (isLong)
      continue;
    ++sum.calls;
    sum.time += took;
    sum.withoutTime += took == 0;
    ++calls_;
  }
}

double LeafCalls::interruption() const {
  return calls_ < leastLeafCalls || time_ == 0 ? 1 : 1 + interruptedTime_ / time_;
}

std::optional<LeafCalls::Shortest> LeafCalls::shortest() const {
  if (calls_ < leastLeafCalls)
    return std::nullopt;
  std::vector<const Sum *> sums;
  for (const auto &[id, sum] : functions_)
    if (sum.calls > 0)
      sums.push_back(&sum);
  auto mean = [](const Sum &sum) { return double(sum.time) / double(sum.calls); };
  llvm::sort(sums, [&](const Sum *a, const Sum *b) { return mean(*a) < mean(*b); });
  Sum pool;
  for (const Sum *sum : sums) {
    pool.calls += sum->calls;
    pool.time += sum->time;
    pool.withoutTime += sum->withoutTime;
    if (pool.calls >= std::max(leastLeafCalls, calls_ / partOfCalls))
      break;
  }
  // Most calls take less than a step of the clock, so one that shows a step did no other work.
  if (pool.withoutTime > pool.calls / 2)
    return Shortest{time_ / double(whole_), true};
  return Shortest{mean(pool), false};
}
