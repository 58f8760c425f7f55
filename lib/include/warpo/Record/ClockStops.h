//===- ClockStops.h - Steps of a clock that no function took --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A clock that a thread keeps (`thread`) needs a processor beside the program's. Where one of the
// two threads waits for one, the clock advances by milliseconds at once, and whichever function is
// open then seems to have taken them: a few such steps can outweigh everything else.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_CLOCKSTOPS_H
#define WARPO_RECORD_CLOCKSTOPS_H

#include "warpo/Record/OpenFunctions.h"
#include "warpo/Record/RecordBatch.h"
#include "warpo/Record/TimeScale.h"
#include <limits>
#include <map>
#include <optional>

namespace warpo {

/// Which steps of a record's clock are waits.
class ClockWaits {
public:
  /// The shortest step, in counts, that is a wait if the function with this id was open.
  uint64_t leastOf(int32_t id) const {
    auto least = least_.find(id);
    return least == least_.end() ? std::numeric_limits<uint64_t>::max() : least->second;
  }
  /// How long the function with this id usually runs before it calls, is called back or returns, in
  /// 1/1024 of a count: while the clock stands still, nothing else says how long it ran.
  uint64_t usualOf(int32_t id) const { return usual_.lookup(id); }
  /// The share of all entries, from 0 to 1, that were recorded since the last step before a wait,
  /// or before the recorder kept the thread.
  double entryShare() const { return entryShare_; }
  /// Whether that is so much that the times say little: the clock stood still while the program
  /// ran.
  bool areMost() const;

private:
  friend class ClockStops;
  llvm::DenseMap<int32_t, uint64_t> least_;
  llvm::DenseMap<int32_t, uint64_t> usual_;
  double entryShare_ = 0;
};

/// Finds them: steps of a millisecond and more within a function that otherwise runs for far
/// shorter before it calls, is called back or returns.
class ClockStops {
public:
  /// Give all batches of a record. `stack`: the stream that stands for the stack of the batch's.
  void add(const RecordBatch &batch, StreamIndex stack, std::optional<TimeScale> scale);
  ClockWaits waits() const;

private:
  /// Of a function, without long steps.
  struct Stretches {
    uint64_t number = 0;
    uint64_t time = 0;
  };
  struct Stack {
    OpenFunctions functions;
    /// By number of `functions`.
    std::vector<Stretches> stretches;
    uint64_t lastTime = 0;
    bool hasEntry = false;
    /// How many there were since the last step of the clock.
    uint64_t entries = 0;
  };

  /// By the stream that stands for it.
  std::vector<Stack> stacks_;
  /// By id and binary logarithm of the step, the entries up to long steps.
  std::map<std::pair<int32_t, unsigned>, uint64_t> longSteps_;
  uint64_t entries_ = 0;
  /// Those between a step and where the recorder kept the thread.
  uint64_t unmeasured_ = 0;
  uint64_t slice_ = std::numeric_limits<uint64_t>::max();
};

} // namespace warpo

#endif
