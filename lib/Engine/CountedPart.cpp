//===- CountedPart.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CountedPart.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

bool CountedPart::begin(const ProgramUnit *unit, StringRef name) {
  open_.push_back({unit, name == name_});
  return open_.back().isPart && ++depth_ == 1;
}

bool CountedPart::pop() {
  bool isPart = open_.back().isPart;
  open_.pop_back();
  return isPart && --depth_ == 0;
}

bool CountedPart::end(const ProgramUnit *unit) {
  return !open_.empty() && open_.back().unit == unit && pop();
}

bool CountedPart::endSections() {
  bool ended = false;
  while (!open_.empty() && open_.back().unit)
    ended |= pop();
  return ended;
}

bool CountedPart::endAll() {
  open_.clear();
  return std::exchange(depth_, 0) != 0;
}

Expected<CountedPart::Instance &> CountedPart::find(const ProgramUnit &unit) {
  auto [found, isNew] = instances_.try_emplace(&unit);
  Instance &instance = found->second;
  if (!isNew)
    return instance;
  auto counts = findCounts(unit.module);
  if (!counts)
    return counts.takeError();
  instance.artifact = std::move(*counts);
  return instance;
}

Error CountedPart::read(const ProgramUnit &unit, StoppedInstance *instance, const Stack &stack) {
  auto found = find(unit);
  if (!found)
    return found.takeError();
  auto &[artifact, before, counts] = *found;
  if (!artifact)
    return Error::success();
  bool begins = depth_ != 0;
  if (begins)
    before.reset();
  std::vector<uint64_t> now;
  if (instance) {
    auto counters = fetchCounters(*artifact, *instance);
    if (!counters)
      return counters.takeError();
    now = std::move(*counters);
  }
  (begins ? counts.begun : counts.left).add(stack, unit.place);
  if (begins) {
    before = std::move(now);
    return Error::success();
  }
  if (!before)
    return Error::success();
  before->resize(now.size());
  counts.counters.resize(now.size());
  for (auto [sum, end, begin] : zip_equal(counts.counters, now, *before))
    sum += end - begin;
  return Error::success();
}

const PartCounts &CountedPart::countsOf(const ProgramUnit &unit) {
  return instances_[&unit].counts;
}
