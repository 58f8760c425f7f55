//===- LeafCalls.h - What the shortest calls of a record took -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A recorder measures a trace point in a quiet loop. What one takes in the program that runs shows
// in the record itself: a call that calls nothing lasts a trace point and its own work, and many
// programs have calls that do next to nothing. The shortest of those bound the cost from above.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_LEAFCALLS_H
#define WARPO_RECORD_LEAFCALLS_H

#include "warpo/Record/RecordBatch.h"
#include "warpo/Record/TimeScale.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace warpo {

/// Fewer calls are too few for an estimate, and a record of fewer entries is too short for a note
/// on what recording took.
inline constexpr uint64_t leastLeafCalls = 1000;

/// It looks at a part of a long record, spread over all of it.
class LeafCalls {
public:
  /// `scale`, if known, tells a call that was interrupted from one that worked.
  void add(const RecordBatch &batch, std::optional<TimeScale> scale);

  /// How much longer everything took as the thread lost its processor, and with it a trace point: 1
  /// where it never did.
  double interruption() const;

  struct Shortest {
    /// In counts, of the functions whose calls are the shortest and a part of all; without those
    /// that were interrupted.
    double mean = 0;
    /// Most took no time at all: the clock stands still for longer than a trace point takes. The
    /// mean is that of all leaf calls then.
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

  /// By id: functions of several modules that share one are looked at as one.
  llvm::DenseMap<int32_t, Sum> functions_;
  uint64_t calls_ = 0;
  uint64_t batches_ = 0;
  /// Of calls that were interrupted, and of the others, which are so many.
  double interruptedTime_ = 0;
  double time_ = 0;
  uint64_t whole_ = 0;
};

} // namespace warpo

#endif
