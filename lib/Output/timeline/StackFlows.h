//===- StackFlows.h - The flows from one stack to another -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_STACKFLOWS_H
#define WARPO_OUTPUT_TIMELINE_STACKFLOWS_H

#include "warpo/Output/TimelineBackend.h"
#include <deque>

namespace warpo {

/// The begins and ends of a timeline's flows, made from the switches that record which stack
/// started or resumed another. To be asked with the events of each stream, in order.
class StackFlows {
public:
  struct Flow {
    /// From 1 on; the same at begin and end.
    uint64_t id;
    /// Time of this end of the flow, in counts.
    uint64_t time;
    /// The stream that it leads to.
    StreamIndex to;
    bool resumes;
    /// Set at the begin of a flow if it arrives at the same time.
    bool isAtOnce = false;

    /// The time to show for the begin. Of a begin and an end at the same time, readers take the
    /// first in the file for the begin. So a flow that arrives at once leaves one count earlier,
    /// possibly before the call it belongs to.
    uint64_t leavesAt() const { return time - (isAtOnce && time > 0); }
  };

  explicit StackFlows(const TimelineInfo &info);

  /// Whether there are flows. To be called with each batch, as the record may declare more.
  bool any();
  /// The next flow that leaves the stream before this event, if any; `depth` calls are open. To be
  /// called until there is none.
  std::optional<Flow> takeLeaving(StreamIndex stream, const Event &event, uint64_t depth);
  /// The flow that leads to the outermost call that begins with this event.
  std::optional<Flow> takeStarting(StreamIndex stream, const Event &event);
  /// The flow that ends the suspension which ends with this event.
  std::optional<Flow> takeResuming(StreamIndex stream, const Event &event);
  /// After the last event: the next flow that still leaves the stream.
  std::optional<Flow> takeLeft(StreamIndex stream);

private:
  struct Leaving {
    Flow flow;
    /// The number of calls that are open when it leaves.
    uint64_t depth;
  };
  struct Stream {
    std::deque<Leaving> leaving;
    /// The id is 0 for stacks started by the host.
    std::deque<Flow> starting, resuming;
  };
  void take(const RecordedSwitch &change);
  uint32_t depthOf(uint32_t stack);
  Stream *find(StreamIndex stream) {
    return stream < streams_.size() ? &streams_[stream] : nullptr;
  }

  const RecordHeader &header_;
  /// Whether the times of events are the record's.
  bool isOfRecord_;
  size_t taken_ = 0;
  uint64_t flows_ = 0;
  std::vector<Stream> streams_;
  /// The number of frames of each stack; cached, as many switches may refer to the same deep stack.
  std::vector<uint32_t> depths_{0};
};

} // namespace warpo

#endif
