//===- PartChooser.h - The calls of a record, or its samples --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_PARTCHOOSER_H
#define WARPO_LIB_TOOLING_PARTCHOOSER_H

#include "warpo/Slice/Event.h"
#include "warpo/Support/StreamSpool.h"
#include "warpo/Tooling/ReadingTool.h"
#include <functional>

namespace warpo {

/// Hands on the calls of a record or its samples, as `part` says; `any` are samples where there are
/// no calls: until the record ends they wait in a StreamSpool.
class PartChooser : public EventSink {
public:
  /// finish() of `calls` is left to `samples`, which hands on to it. `onSamples` is called before
  /// the first sample is handed on. All that is referred to outlives this.
  PartChooser(RecordPart part, EventSink &calls, EventSink &samples,
              std::function<void()> onSamples)
      : part_(part), calls_(calls), samples_(samples), onSamples_(std::move(onSamples)) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override;
  bool done() const override { return calls_.done(); }

  /// Whether the record has calls, handed on or not.
  bool hasCalls() const { return hasCalls_; }

private:
  llvm::Error handOn(const SideBatch &batch);

  RecordPart part_;
  EventSink &calls_;
  EventSink &samples_;
  std::function<void()> onSamples_;
  bool hasCalls_ = false;
  bool saidSamples_ = false;
  StreamSpool<StackSample> waiting_;
  StreamIndex waitingStreams_ = 0;
};

} // namespace warpo

#endif
