//===- PictureTimeline.h - Timelines drawn at the end ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_OUTPUT_TIMELINE_PICTURETIMELINE_H
#define WARPO_LIB_OUTPUT_TIMELINE_PICTURETIMELINE_H

#include "BatchWalk.h"
#include "StreamStates.h"
#include "warpo/Output/TimelineBackend.h"
#include <optional>

namespace warpo {

/// A picture of calls over time. Events update the `State` of their stream, which finish() draws.
template <typename State> class PictureTimeline : public CallTimeline {
public:
  bool isBinary() const final { return false; }
  bool saysUnit() const final { return true; }
  bool canLink() const final { return true; }
  void showSamples() final { hasSamples_ = true; }

  llvm::Error begin(const TimelineInfo &info, const TimelineOptions &,
                    llvm::raw_ostream &os) final {
    info_.emplace(info);
    os_ = &os;
    return llvm::Error::success();
  }

  llvm::Error events(const EventBatch &batch) final {
    State &stream = streams_.at(batch.stream);
    walkBatch(
        batch,
        [&](llvm::ArrayRef<Event> events) {
          for (const Event &event : events)
            take(batch.stream, stream, event);
          events_ += events.size();
        },
        [&](const LostRange &range) { takeLost(batch.stream, stream, range); });
    return llvm::Error::success();
  }

protected:
  virtual void take(StreamIndex index, State &stream, const Event &event) = 0;
  virtual void takeLost(StreamIndex index, State &stream, const LostRange &range) = 0;

  std::optional<TimelineInfo> info_;
  llvm::raw_ostream *os_ = nullptr;
  StreamStates<State> streams_;
  uint64_t events_ = 0;
  /// Whether the calls are reconstructed from samples.
  bool hasSamples_ = false;
};

} // namespace warpo

#endif
