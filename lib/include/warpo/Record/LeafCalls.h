//===- LeafCalls.h - The shortest calls of a record -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A recorder measures a trace point in a quiet loop. The cost in the running program is visible in
// the record itself: a leaf call lasts for a trace point and its own work, and many programs have
// calls that do next to nothing. The shortest of those give an upper bound for the cost.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_LEAFCALLS_H
#define WARPO_RECORD_LEAFCALLS_H

#include "warpo/Record/RecordBatch.h"
#include "warpo/Record/TimeScale.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace warpo {

/// The minimum number of calls for an estimate, and of entries for a note on the cost of recording.
inline constexpr uint64_t leastLeafCalls = 1000;

/// Of a long record, uses only a part, spread over all of it.
class LeafCalls {
public:
  /// `scale`, if known, is used to recognise calls that were interrupted.
  void add(const RecordBatch &batch, std::optional<TimeScale> scale);

  /// What the program's own work between two trace points takes at least, in counts; 0 if the scale
  /// is unknown.
  double leastWork() const { return leastWork_; }

  /// The factor by which losing the processor made everything slower, including trace points: 1 if
  /// that never happened.
  double interruption() const;

  struct Shortest {
    /// In counts: the mean over the functions with the shortest calls that together make up a
    /// certain part of all calls, without interrupted ones.
    double mean = 0;
    /// Most calls took no time at all, as the clock's resolution is longer than a trace point. The
    /// mean is then that of all leaf calls.
    bool isCoarse = false;
  };
  /// Nothing if there are fewer than leastLeafCalls.
  std::optional<Shortest> shortest() const;

private:
  struct Sum {
    uint64_t calls = 0;
    uint64_t time = 0;
    uint64_t withoutTime = 0;
    uint64_t least = UINT64_MAX;
  };

  /// By id: functions of several modules with the same id are treated as one.
  llvm::DenseMap<int32_t, Sum> functions_;
  double leastWork_ = 0;
  uint64_t calls_ = 0;
  uint64_t batches_ = 0;
  /// Time of interrupted calls, time of the others, and the number of the latter.
  double interruptedTime_ = 0;
  double time_ = 0;
  uint64_t whole_ = 0;
};

} // namespace warpo

#endif
