//===- StackFlows.h - What leads from one stack to another ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_STACKFLOWS_H
#define WARPO_OUTPUT_TIMELINE_STACKFLOWS_H

#include "warpo/Output/TimelineBackend.h"
#include <deque>

namespace warpo {

/// Where the arrows of a timeline begin and end, of those switches that say what started or resumed
/// a stack. Asked for the events of each stream in their order.
class StackFlows {
public:
  struct Flow {
    /// From 1 on: both of its ends have it.
    uint64_t id;
    /// In counts.
    uint64_t time;
    /// What it leads to.
    StreamIndex to;
    bool resumes;
    /// Of one that leaves: it arrives at the same time.
    bool isAtOnce = false;

    /// When it is shown to leave: readers take the end for the beginning that stands first in the
    /// file, so one that arrives at once leaves one count earlier, perhaps before the call that it
    /// is of.
    uint64_t leavesAt() const { return time - (isAtOnce && time > 0); }
  };

  explicit StackFlows(const TimelineInfo &info);

  /// Whether there are any. To be asked with each batch, as the record declares more.
  bool any();
  /// Those that leave the stream before this event; `depth` calls are open.
  std::optional<Flow> takeLeaving(StreamIndex stream, const Event &event, uint64_t depth);
  /// The one that leads to the call that begins here, when none is open.
  std::optional<Flow> takeStarting(StreamIndex stream, const Event &event);
  /// The one that leads to what goes on behind this end of a suspension.
  std::optional<Flow> takeResuming(StreamIndex stream, const Event &event);
  /// After the last event: those that leave the stream yet.
  std::optional<Flow> takeLeft(StreamIndex stream);

private:
  struct Leaving {
    Flow flow;
    /// How many calls are open there.
    uint64_t depth;
  };
  struct Stream {
    std::deque<Leaving> leaving;
    /// The number of one that the host started is 0.
    std::deque<Flow> starting, resuming;
  };
  void take(const RecordedSwitch &change);
  uint32_t depthOf(uint32_t stack);
  Stream *find(StreamIndex stream) {
    return stream < streams_.size() ? &streams_[stream] : nullptr;
  }

  const RecordHeader &header_;
  /// Whether the times of events are those of the record.
  bool isOfRecord_;
  size_t taken_ = 0;
  uint64_t flows_ = 0;
  std::vector<Stream> streams_;
  /// Of each stack, how many frames it has; a record may name a deep one with many switches.
  std::vector<uint32_t> depths_{0};
};

} // namespace warpo

#endif
