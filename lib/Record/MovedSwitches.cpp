//===- MovedSwitches.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/MovedSwitches.h"
#include "warpo/Record/RecordWalk.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace warpo;

namespace {

/// Moves times of one clock. A time between two entries keeps its distance from the earlier one,
/// but does not pass the later one.
class MovingTimes {
public:
  void add(uint64_t &time) { times_.push_back(&time); }
  /// Call after the last add().
  void sort() {
    llvm::sort(times_, [](const uint64_t *a, const uint64_t *b) { return *a < *b; });
  }

  void passEntry(uint64_t recorded, uint64_t moved) {
    for (; next_ < times_.size() && *times_[next_] <= recorded; ++next_)
      *times_[next_] = std::min(*times_[next_] - offset_, moved);
    offset_ = recorded - moved;
  }
  void finish() {
    for (; next_ < times_.size(); ++next_)
      *times_[next_] -= offset_;
  }

private:
  std::vector<uint64_t *> times_;
  size_t next_ = 0;
  uint64_t offset_ = 0;
};

} // namespace

Expected<std::vector<RecordedSwitch>> warpo::movedSwitches(ProbeSubtraction &subtraction) {
  std::vector<RecordedSwitch> switches;
  std::map<uint64_t, MovingTimes> clocks;
  auto start = [&] {
    switches = subtraction.header().switches;
    for (RecordedSwitch &change : switches) {
      clocks[subtraction.clockOf(change.stream)].add(change.time);
      clocks[subtraction.clockOf(change.from)].add(change.at);
    }
    for (auto &[number, clock] : clocks)
      clock.sort();
  };
  auto pass = [&](const RecordBatch &batch) {
    if (batch.times.empty())
      return Error::success();
    if (switches.empty())
      start();
    MovingTimes &clock = clocks[subtraction.clockOf(batch.stream)];
    for (auto [recorded, moved] : zip_equal(subtraction.recordedTimes(), batch.times))
      clock.passEntry(recorded, moved);
    return Error::success();
  };
  if (Error error = forEachBatch(subtraction, pass))
    return error;
  for (auto &[number, clock] : clocks)
    clock.finish();
  return switches;
}
