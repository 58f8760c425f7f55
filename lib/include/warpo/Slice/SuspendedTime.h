//===- SuspendedTime.h - What passed while a stack waited -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place that knows when a stack waits: while the call on top of it is one that stands for a
// suspension. What is recorded within a suspension ran.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SLICE_SUSPENDEDTIME_H
#define WARPO_SLICE_SUSPENDEDTIME_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Slice/Event.h"

namespace warpo {

/// Of one stack, whose events it is given in their order, with what its columns stood at.
class SuspendedTime {
public:
  struct Moment {
    uint64_t time = 0;
    Counts counts = {};
  };

  /// Goes on to an event. Whether that is one of a call that ran, and none of a suspension.
  bool take(const FunctionTable &functions, const Event &event, const Counts &counts = noCounts);
  /// Whether the stack is in no suspension.
  bool isRunning() const { return suspensions_.empty(); }
  /// Goes on to the time of the last of some events, none of which is of a suspension, while the
  /// stack is running. Their counts are those of before.
  void run(uint64_t time) { last_.time = time; }
  /// Goes on to the begin of a lost range, and to its end: what was lost while the stack waited is
  /// lost all the same.
  void beginLost(const LostRange &range);
  void endLost(const LostRange &range);

  /// What has passed in suspensions so far.
  const Moment &waited() const { return waited_; }
  /// How much of that time the recorder had the thread.
  uint64_t recording() const { return recording_; }
  const Counts &lastCounts() const { return last_.counts; }

private:
  bool isWaiting() const { return !suspensions_.empty() && suspensions_.back().depth == depth_; }
  void advance(uint64_t time, const Counts &counts);

  struct Suspension {
    uint64_t depth; // counted from the first one
    bool isRecording;
  };
  /// Those that have not ended.
  std::vector<Suspension> suspensions_;
  uint64_t depth_ = 0;
  Moment last_, waited_;
  uint64_t recording_ = 0;
};

} // namespace warpo

#endif
